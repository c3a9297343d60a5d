// Makes HTML of the documents that build.go hands over: it names its file in SITE_CONTENT.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";

const repository = "https://github.com/assay-qa/assay";
const content = JSON.parse(readFileSync(process.env.SITE_CONTENT, "utf8"));
const known = new Set(content.pages.map((page) => page.path));
const inPlaceOf = { "mcp.toml.example": "settings.md", LICENSE: "LICENSE.md" }; // files that a page shows
const read = new Map(); // what was read of each page: title, description, headings, texts

const mistakes = []; // of the documents, in sentences

// The file of a page, below the folder of the site.
const fileOf = (page) => (page === "README.md" ? "index.html" : page.replace(/\.md$/, ".html"));

const relative = (from, to) => path.posix.relative(path.posix.dirname(fileOf(from)), to);

// The anchor that GitHub gives a heading.
function anchorOf(text, taken) {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
  const count = taken.get(plain) ?? 0;
  taken.set(plain, count + 1);
  return count ? `${plain}-${count}` : plain;
}

// What a link of a document leads to. Files of the source that are no pages are shown by GitHub.
function target(from, href) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("#")) return href;
  const [file, anchor] = href.split(/#(.*)/s);
  const to = path.posix.normalize(path.posix.join(path.posix.dirname(from), decodeURI(file))).replace(/\/$/, "");
  const page = inPlaceOf[to] ?? to;
  if (known.has(page)) return relative(from, fileOf(page)) + (anchor ? `#${anchor}` : "");
  const place = path.join(content.source, to);
  if (to.startsWith("..") || !existsSync(place)) {
    mistakes.push(`${from} links to ${href}, which is neither a page nor a file of the source: mend the link`);
    return href;
  }
  if (/\.(png|svg)$/.test(to)) return relative(from, to);
  return `${repository}/${statSync(place).isDirectory() ? "tree" : "blob"}/main/${to}`;
}

const textOf = (inline) => (inline.children ?? []).map((part) => (part.type === "softbreak" ? " " : part.type === "text" || part.type === "code_inline" ? part.content : "")).join("");

function cut(text, length) {
  return text.length <= length ? text : `${text.slice(0, text.lastIndexOf(" ", length))} …`;
}

const remark = /^\s*<!--[\s\S]*?-->\s*$/;

// What is done with a document between its parsing and its HTML.
function prepare(state) {
  const from = state.env.source;
  if (!from) return;
  const page = { title: "", description: "", headings: [], texts: [] };
  const taken = new Map();
  state.tokens = state.tokens.filter((token) => token.type !== "html_block" || !remark.test(token.content));
  let heading;
  state.tokens.forEach((token, i) => {
    if (token.type === "fence" && heading) page.texts.push([heading.id, cut(token.content.replace(/\s+/g, " "), 400)]);
    if (token.type !== "inline") return;
    const before = state.tokens[i - 1];
    token.children = token.children.filter((part) => part.type !== "html_inline" || !remark.test(part.content));
    for (const part of token.children) {
      if (part.type === "link_open") part.attrSet("href", target(from, part.attrGet("href")));
      if (part.type === "image") {
        part.attrSet("src", target(from, part.attrGet("src")));
        part.attrSet("loading", "lazy");
      }
    }
    const text = textOf(token);
    if (before.type === "heading_open") {
      heading = { id: anchorOf(text, taken), text, level: Number(before.tag.slice(1)) };
      before.attrSet("id", heading.id);
      if (heading.level === 1 && !page.title) page.title = text;
      page.headings.push(heading);
    } else {
      if (before.type === "paragraph_open" && !page.description) page.description = cut(text, 180);
      if (heading) page.texts.push([heading.id, text]);
    }
  });
  if (!page.title) mistakes.push(`${from} has no heading of the first level, which is the title of its page: write one`);
  read.set(from, page);
}

// An index of what stands below each heading, as a script: pages of files may fetch nothing.
function searchIndex(output) {
  const rows = [];
  for (const { path: source } of content.pages) {
    const page = read.get(source);
    for (const heading of page.headings) {
      const text = page.texts.filter(([id]) => id === heading.id).map(([, words]) => words).join(" ");
      rows.push([`${fileOf(source)}#${heading.id}`, page.title, heading.level === 1 ? "" : heading.text, cut(text, 4000)]);
    }
  }
  const folder = path.join(output, "assets");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "search-index.js"), `window.searchIndex = ${JSON.stringify(rows).replaceAll("</", "<\\/")};\n`);
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

// The name of a page in lists of pages.
function nameOf(source) {
  if (source === "README.md") return "Overview";
  const title = content.pages.find((page) => page.path === source).text.match(/^# (.+)$/m)?.[1].replaceAll("`", "") ?? source;
  return source.startsWith("commands/") ? title.replace(/^assay /, "") : title;
}

function navigation(current) {
  return content.sections.map(({ title, pages }) => {
    const items = pages.map((page) => `<li><a href="${relative(current, fileOf(page))}"${page === current ? ' aria-current="page"' : ""}>${escaped(nameOf(page))}</a></li>`).join("\n");
    const open = pages.includes(current) || !/^(Tools|Commands)$/.test(title) ? " open" : "";
    return `<details${open}><summary>${escaped(title)}</summary>\n<ul>\n${items}\n</ul></details>`;
  }).join("\n");
}

function contents(source) {
  const below = read.get(source).headings.filter((heading) => heading.level === 2 || heading.level === 3 && !source.startsWith("tools/"));
  if (below.length < 2) return "";
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>\n${below.map((heading) => `<li class="level-${heading.level}"><a href="#${heading.id}">${escaped(heading.text)}</a></li>`).join("\n")}\n</ul></nav>`;
}

export default function (config) {
  config.setInputDirectory("pages");
  config.addPassthroughCopy({ "pages/site.css": "assets/site.css", "pages/search.js": "assets/search.js" });
  config.addGlobalData("version", content.version);
  config.amendLibrary("md", (md) => {
    md.core.ruler.push("documents", prepare);
    md.renderer.rules.table_open = () => '<div class="wide"><table>\n';
    md.renderer.rules.table_close = () => "</table></div>\n";
  });
  for (const { path: source, text } of content.pages) {
    config.addTemplate(source, text, { source, layout: "page.njk", permalink: fileOf(source), templateEngineOverride: "md" });
  }
  config.addFilter("title", (source) => read.get(source).title);
  config.addFilter("description", (source) => read.get(source).description);
  config.addFilter("navigation", navigation);
  config.addFilter("contents", contents);
  config.addFilter("up", (source) => "../".repeat(source.split("/").length - 1));
  config.on("eleventy.after", ({ directories }) => {
    if (mistakes.length) {
      writeSync(2, `${mistakes.join("\n")}\n`);
      process.exit(1);
    }
    searchIndex(path.resolve(directories.output));
  });
}
