// Finds pages by words, in an index that lies beside them and is read when it is first asked.
(() => {
  const root = document.currentScript.dataset.root;
  const form = document.querySelector(".search");
  const field = form.querySelector("input");
  const list = form.querySelector("ol");
  form.hidden = false;

  let asked;
  const index = () => (asked ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = `${root}assets/search-index.js`;
    script.onload = () => done(window.searchIndex);
    script.onerror = () => failed(new Error("assets/search-index.js is missing: build the pages again"));
    document.head.append(script);
  }));

  // A word counts most in the title of a page, less in a heading, least in the text.
  function worth([, title, heading, text], words) {
    let sum = 0;
    for (const word of words) {
      const place = [[title, heading ? 4 : 20], [heading, 8], [text, 1]].find(([where]) => where.toLowerCase().includes(word));
      if (!place) return 0;
      sum += place[1];
      if (place[0].toLowerCase() === word) sum += 20;
    }
    return sum;
  }

  function around(text, word) {
    const at = Math.max(text.toLowerCase().indexOf(word) - 50, 0);
    return (at ? "… " : "") + text.slice(at, at + 140);
  }

  async function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = words.length ? await index() : [];
    const found = rows.map((row) => [worth(row, words), row]).filter(([sum]) => sum).sort((a, b) => b[0] - a[0]).slice(0, 20);
    list.replaceChildren(...found.map(([, [address, title, heading, text]]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const line = document.createElement("span");
      link.href = root + address;
      link.textContent = heading ? `${title} › ${heading}` : title;
      line.textContent = around(text, words[0]);
      link.append(line);
      item.append(link);
      return item;
    }));
    if (words.length && !found.length) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "No page has these words.";
      list.append(none);
    }
    list.hidden = !words.length;
  }

  const report = (error) => { list.textContent = error.message; list.hidden = false; };
  field.addEventListener("input", () => show().catch(report));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") list.hidden = true;
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) list.hidden = true; });
})();
