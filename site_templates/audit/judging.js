// The judging page: one file, no server, no network. It knows two texts a pair and nothing of where they come from.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("sheet").textContent);
  const words = JSON.parse(document.getElementById("words").textContent);
  const store = "rapor-duel-" + data.sheet_sha256;
  const $ = (id) => document.getElementById(id);
  const KEYS = { ArrowLeft: "left", "1": "left", ArrowDown: "tie", "2": "tie", ArrowRight: "right", "3": "right" };
  let state = { language: "id", judge: "", at: 0, ballots: {}, notes: {} };

  const load = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(store));
      if (kept && typeof kept.ballots === "object") state = { ...state, ...kept };
    } catch { /* a browser that keeps nothing for a file still lets the judge work */ }
    if (!(state.at >= 0 && state.at < data.pairs.length)) state.at = 0;
  };
  const keep = () => {
    try { localStorage.setItem(store, JSON.stringify(state)); $("kept").hidden = false; } catch { $("kept").hidden = true; }
  };
  const say = (key) => words[state.language][key];
  const count = () => data.pairs.filter((pair) => state.ballots[pair.pair]).length;
  const filled = (text, slots) => text.replace(/\{(\w+)\}/g, (_, name) => slots[name]);

  const paint = () => {
    const pair = data.pairs[state.at];
    const chosen = state.ballots[pair.pair];
    document.documentElement.lang = state.language;
    document.title = say("title");
    for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
    for (const element of document.querySelectorAll("[data-language]"))
      element.setAttribute("aria-pressed", String(element.dataset.language === state.language));
    $("question").textContent = data.question[state.language];
    $("place").textContent = filled(say("place"), { n: state.at + 1, of: data.pairs.length });
    $("done").textContent = filled(say("done"), { n: count(), of: data.pairs.length });
    $("progress").max = data.pairs.length;
    $("progress").value = count();
    $("source").textContent = pair.source;
    $("left").textContent = pair.left;
    $("right").textContent = pair.right;
    for (const button of document.querySelectorAll("[data-choice]"))
      button.setAttribute("aria-pressed", String(!!chosen && chosen.choice === button.dataset.choice));
    $("note").value = state.notes[pair.pair] || "";
    $("judge").value = state.judge;
    $("before").disabled = state.at === 0;
    $("after").disabled = state.at === data.pairs.length - 1;
    $("all").hidden = count() < data.pairs.length;
    $("export").disabled = !state.judge.trim() || count() === 0;
  };

  const go = (place) => {
    state.at = Math.min(Math.max(place, 0), data.pairs.length - 1);
    keep();
    paint();
  };
  const choose = (choice) => {
    const pair = data.pairs[state.at].pair;
    state.ballots[pair] = { choice, at: new Date().toISOString() };
    const open = data.pairs.findIndex((each, place) => place > state.at && !state.ballots[each.pair]);
    const any = data.pairs.findIndex((each) => !state.ballots[each.pair]);
    go(open >= 0 ? open : any >= 0 ? any : state.at);
    $("heard").textContent = filled(say("heard"), { choice: say(choice), n: count(), of: data.pairs.length });
  };
  const lines = () => data.pairs.filter((pair) => state.ballots[pair.pair]).map((pair) => JSON.stringify({
    duel: data.duel, sheet_sha256: data.sheet_sha256, pair: pair.pair, judge: state.judge.trim(),
    choice: state.ballots[pair.pair].choice, note: (state.notes[pair.pair] || "").trim(), at: state.ballots[pair.pair].at,
  }) + "\n").join("");
  const take = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines()], { type: "application/jsonl" }));
    link.download = "ballots-" + data.duel + ".jsonl";
    link.click();
    URL.revokeObjectURL(link.href);
  };

  for (const button of document.querySelectorAll("[data-choice]"))
    button.addEventListener("click", () => choose(button.dataset.choice));
  for (const button of document.querySelectorAll("[data-language]"))
    button.addEventListener("click", () => { state.language = button.dataset.language; $("heard").textContent = ""; keep(); paint(); });
  $("before").addEventListener("click", () => go(state.at - 1));
  $("after").addEventListener("click", () => go(state.at + 1));
  $("export").addEventListener("click", take);
  $("note").addEventListener("input", () => { state.notes[data.pairs[state.at].pair] = $("note").value; keep(); });
  $("judge").addEventListener("input", () => {
    state.judge = $("judge").value;
    keep();
    $("export").disabled = !state.judge.trim() || count() === 0;
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (KEYS[event.key]) choose(KEYS[event.key]);
    else if (event.key === "PageUp") go(state.at - 1);
    else if (event.key === "PageDown") go(state.at + 1);
    else if (event.key === "n") $("note").focus();
    else return;
    event.preventDefault();
  });
  load();
  paint();
})();
