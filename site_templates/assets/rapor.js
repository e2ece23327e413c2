/* What a script adds to a page that is whole without it: sorting, filtering, comparing, copying, checking a hash.
   The state of filters and sorting is kept in the address. */
"use strict";
(() => {
  const root = document.documentElement;
  const words = document.currentScript.dataset;
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const state = new URLSearchParams(location.search);
  const keep = (name, value) => {
    if (value) state.set(name, value);
    else state.delete(name);
    const query = state.toString();
    history.replaceState(null, "", (query ? "?" + query : location.pathname) + location.hash);
  };
  root.classList.add("scripted");

  /* the language switch keeps section and state */
  const tongue = document.querySelector(".tongue");
  if (tongue) tongue.addEventListener("click", () => { tongue.hash = location.hash; tongue.search = location.search; });

  /* sorting */
  const status = document.createElement("p");
  status.className = "vh";
  status.setAttribute("role", "status");
  document.querySelector("main").append(status);
  const value = (row, index) => {
    const cell = row.cells[index];
    if (cell.dataset.sort) return +cell.dataset.sort;
    const data = cell.querySelector("data, time");
    if (data) return data.localName === "time" ? data.dateTime : +data.value;
    return cell.textContent.trim().toLocaleLowerCase(root.lang);
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1;
    return a.localeCompare(b, root.lang, { numeric: true });
  };
  const sort = (table, index, order) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, at) => [value(row, index), at, row]);
    rows.sort((a, b) => compare(a[0], b[0]) * (order === "ascending" ? 1 : -1) || a[1] - b[1]);
    body.append(...rows.map((row) => row[2]));
    heads.forEach((head, at) => {
      if (at === index) head.setAttribute("aria-sort", order);
      else head.removeAttribute("aria-sort");
      const mark = head.querySelector(".sort");
      if (mark) mark.textContent = at !== index ? "↕" : order === "ascending" ? "↑" : "↓";
    });
    table.classList.add("resorted");
    return heads[index].dataset.title;
  };
  all("table[data-sortable]").forEach((table) => {
    const name = table.dataset.name;
    [...table.tHead.rows[0].cells].forEach((head, index) => {
      if ("unsorted" in head.dataset) return;
      const small = head.querySelector("small");
      head.dataset.title = head.textContent.replace(small ? small.textContent : "", "").trim();
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = "↕";
      button.setAttribute("aria-label", fill(words.sort, { column: head.dataset.title }));
      button.addEventListener("click", () => {
        const first = table.tBodies[0].rows[0];
        const number = first && typeof value(first, index) === "number";
        const before = head.getAttribute("aria-sort");
        const order = before ? (before === "ascending" ? "descending" : "ascending") : number ? "descending" : "ascending";
        const column = sort(table, index, order);
        status.textContent = fill(words.sorted, { column, order: order === "ascending" ? words.rising : words.falling });
        if (name) keep("sort-" + name, index + (order === "ascending" ? "a" : "d"));
      });
      head.append(button);
    });
    const saved = name && /^(\d+)([ad])$/.exec(state.get("sort-" + name) || "");
    if (saved && +saved[1] < table.tHead.rows[0].cells.length) {
      sort(table, +saved[1], saved[2] === "a" ? "ascending" : "descending");
      const fold = table.closest("details");
      if (fold) fold.open = true;
    }
  });

  /* filters of the leaderboard */
  all("[data-filters]").forEach((form) => {
    const fields = all("[data-filter]", form);
    const read = (field) => (field.type === "checkbox" ? (field.checked ? field.value : "") : field.value);
    const apply = (say) => {
      const shown = new Set();
      all("tr[data-service]").forEach((row) => {
        row.hidden = fields.some((field) => read(field) && row.dataset[field.dataset.filter] !== read(field));
        if (!row.hidden) shown.add(row.dataset.service);
      });
      if (say) status.textContent = fill(form.dataset.shown, { n: shown.size });
    };
    fields.forEach((field) => {
      const saved = state.get(field.dataset.filter);
      if (saved && field.type === "checkbox") field.checked = saved === field.value;
      else if (saved && [...field.options].some((option) => option.value === saved)) field.value = saved;
      field.addEventListener("change", () => { keep(field.dataset.filter, read(field)); apply(true); });
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    apply(fields.some(read));
  });

  /* columns of a table, and a file of what is shown */
  all("[data-columns]").forEach((box) => {
    const table = document.getElementById(box.dataset.columns);
    all("input", box).forEach((field) => {
      const index = +field.value;
      const apply = () => [...table.rows].forEach((row) => { if (row.cells[index]) row.cells[index].hidden = !field.checked; });
      if ((state.get("hide") || "").split(".").includes(field.value)) field.checked = false;
      field.addEventListener("change", () => {
        apply();
        keep("hide", all("input", box).filter((each) => !each.checked).map((each) => each.value).join("."));
      });
      apply();
    });
  });
  all("[data-csv]").forEach((button) => {
    button.addEventListener("click", () => {
      const table = document.getElementById(button.dataset.csv);
      const cell = (each) => {
        const data = [...each.querySelectorAll("data")].map((one) => one.value);
        const plain = each.dataset.title || each.innerText.replace(/\s+/g, " ").trim();
        const text = data.length && each.localName === "td" ? data.join("–") : plain;
        return '"' + (/^[=+\-@\t\r'＝＋－＠]/.test(text) && !/^-?[\d.]+$/.test(text) ? "'" : "") + text.replace(/"/g, '""') + '"';
      };
      const lines = [...table.rows].filter((row) => !row.hidden)
        .map((row) => [...row.cells].filter((each) => !each.hidden && !each.classList.contains("scale")).map(cell).join(","));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
      link.download = button.dataset.name + ".csv";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  });

  /* two services, side by side */
  all("[data-compare]").forEach((form) => {
    const [a, b] = ["a", "b"].map((side) => form.querySelector(`[data-side="${side}"]`));
    const say = form.querySelector("[role=status]");
    const apply = (spoken) => {
      const wanted = [a.value, b.value].filter(Boolean);
      if ("far" in form.dataset) {
        /* the pairs stand on other pages: the cell of the matrix that leads there is shown beside the choice */
        const ends = wanted.length === 2 ? [wanted, [...wanted].reverse()].map((pair) => `td a[href$="#${pair.join("--")}"]`) : [];
        const cell = ends.length && document.querySelector(ends.join(", "));
        say.replaceChildren(...(cell ? [`${a.selectedOptions[0].text}, ${b.selectedOptions[0].text}: `, cell.cloneNode(true)] : []));
        return;
      }
      let shown = 0;
      all("[data-a][data-b]").forEach((each) => {
        each.hidden = !wanted.every((name) => name === each.dataset.a || name === each.dataset.b);
        if (each.localName === "tr" && !each.hidden) shown += 1;
        const fold = each.querySelector("details");
        if (fold) fold.open = wanted.length === 2 && !each.hidden;
      });
      if (spoken) say.textContent = fill(say.dataset.shown, { n: shown });
    };
    [a, b].forEach((field) => {
      const side = field.dataset.side;
      if ([...field.options].some((option) => option.value === state.get(side))) field.value = state.get(side);
      field.addEventListener("change", () => { keep(side, field.value); apply(true); });
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    apply(a.value || b.value);
  });

  /* copying */
  all("[data-copy]").forEach((button) => {
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.nextElementSibling.textContent = button.dataset.done;
    });
  });

  /* the hash of a file, computed here */
  const sha256 = async (bytes) => {
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  all("[data-hash-check]").forEach((box) => {
    const listed = new Map(all("[data-sha256]").map((row) => [row.dataset.sha256, row.dataset.file]));
    const out = box.querySelector("[role=status]");
    const check = async (files) => {
      const said = [];
      for (const file of files) {
        const hash = await sha256(await file.arrayBuffer());
        const path = listed.get(hash);
        said.push(fill(path ? box.dataset.match : box.dataset.noMatch, { file: file.name, path, hash }));
      }
      out.textContent = said.join(" ");
    };
    box.querySelector("input").addEventListener("change", (event) => check(event.target.files));
    box.addEventListener("dragover", (event) => event.preventDefault());
    box.addEventListener("drop", (event) => { event.preventDefault(); check(event.dataTransfer.files); });
  });

  /* revealed tasks against a lock: the hash of salt and text is the commitment */
  all("[data-reveal-check]").forEach((box) => {
    const [reveals, lock] = all("textarea", box);
    const out = box.querySelector("[role=status] ul");
    const read = (field, names) => field.value.split("\n").filter((line) => line.trim()).map((line) => {
      const record = JSON.parse(line);
      if (names.some((name) => typeof record[name] !== "string")) throw new Error(line);
      return record;
    });
    const compare = async () => {
      const locked = new Map(read(lock, ["id", "commitment"]).map((each) => [each.id, each.commitment]));
      return Promise.all(read(reveals, ["id", "salt", "task"]).map(async (each) => {
        const hash = await sha256(new TextEncoder().encode(each.salt + each.task));
        const state = !locked.has(each.id) ? "absent" : locked.get(each.id) === hash ? "same" : "other";
        return [state === "same" ? "passed" : "failed", fill(box.dataset[state], { task: each.id })];
      }));
    };
    const check = async () => {
      const both = reveals.value.trim() && lock.value.trim();
      const said = both ? await compare().catch(() => [["failed", box.dataset.malformed]]) : [];
      out.replaceChildren(...said.map(([state, text]) => {
        const item = document.createElement("li");
        item.className = state;
        item.textContent = text;
        return item;
      }));
    };
    const take = async (files) => {
      for (const file of files) {
        const text = await file.text();
        (text.includes('"commitment":') ? lock : reveals).value = text;
      }
      await check();
    };
    box.querySelector("input").addEventListener("change", (event) => take(event.target.files));
    [reveals, lock].forEach((field) => field.addEventListener("input", check));
    box.addEventListener("dragover", (event) => event.preventDefault());
    box.addEventListener("drop", (event) => {
      if (event.dataTransfer.files.length) { event.preventDefault(); take(event.dataTransfer.files); }
    });
  });
})();
