/* Opened from a folder, a browser refuses any script with an integrity hash. There it is asked for without. */
if (location.protocol === "file:") {
  const refused = document.currentScript.previousElementSibling;
  addEventListener("DOMContentLoaded", () => {
    const script = document.createElement("script");
    script.src = refused.src;
    Object.assign(script.dataset, refused.dataset);
    document.head.append(script);
  });
}
