// A picture as blocks: decoded, shrunk by whole steps to the mean of each step, read as means of 8 by 8 small pixels.
(() => {
  const BLOCK = 8;
  const decode = async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const shrink = (data, step) => {
    const small = new ImageData(Math.floor(data.width / step), Math.floor(data.height / step));
    for (let y = 0; y < small.height; y++) for (let x = 0; x < small.width; x++) for (let part = 0; part < 4; part++) {
      let sum = 0;
      for (let dy = 0; dy < step; dy++) for (let dx = 0; dx < step; dx++)
        sum += data.data[((y * step + dy) * data.width + x * step + dx) * 4 + part];
      small.data[(y * small.width + x) * 4 + part] = sum / step ** 2;
    }
    return small;
  };
  const written = (data) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: data.width, height: data.height });
    canvas.getContext("2d").putImageData(data, 0, 0);
    return canvas.toDataURL("image/jpeg", 0.8);
  };
  // The small picture of a photograph, and where it differs from the one that was accepted, by how much at most.
  return async ([photograph, accepted, step]) => {
    const small = shrink(await decode(photograph), step);
    if (!accepted) return [written(small), null];
    const [one, two] = [small, await decode(accepted)].map((data) => shrink(data, BLOCK));
    if (one.width !== two.width || one.height !== two.height) return [written(small), null];
    const found = [];
    for (let at = 0; at < one.data.length; at += 4) {
      const apart = Math.max(...[0, 1, 2].map((part) => Math.abs(one.data[at + part] - two.data[at + part])));
      const block = at / 4;
      found.push([apart, (block % one.width) * BLOCK * step, Math.floor(block / one.width) * BLOCK * step]);
    }
    return [written(small), found];
  };
})()
