// The language that the page speaks. English is the source and the key: any other language is one file,
// `words.TAG.js`, with a table from English for the page and one for the engine.
//
//   {count}               what stands here is put in
//   {count|bulb|bulbs}    the form that goes with a number: of English the singular, then the plural
//
// A hole of one letter holds a number. The engine speaks English whatever the page does: its
// sentences are found by what stands around their holes, and what a hole holds is translated too.
// Which languages there are, the select `Language` says. In a notebook there is none.

const KEPT = "ponder.language", HOLE = /\{(\w+)(?:\|([^}]*))?\}/g;
const choice = document.getElementById("language");
const offered = [...(choice?.options ?? [])].map((option) => option.value);
let table = null, patterns = null;

export const language = await spoken();
const plural = new Intl.PluralRules(language);
const forms = ["zero", "one", "two", "few", "many", "other"].filter((form) => plural.resolvedOptions().pluralCategories.includes(form));

// The chosen language, else the first that the browser prefers; English where its file cannot be had.
async function spoken() {
  const wanted = [kept(), ...(navigator.languages ?? []).map((tag) => tag.split("-")[0])].find((tag) => offered.includes(tag)) ?? "en";
  if (wanted === "en") return wanted;
  try {
    table = (await import(`./words.${wanted}.js`)).default;
    return wanted;
  } catch { return "en"; }
}

function kept() {
  try { return history.state?.language ?? localStorage.getItem(KEPT); } catch { return null; }
}

// Keep a language, for the next time that the page opens.
export function keep(tag) {
  try { localStorage.setItem(KEPT, tag); } catch { /* this tab alone keeps it */ }
}

// Return a sentence of the page, in its language.
export function phrase(english, values) {
  const said = table?.page[english] ?? english;
  return values ? filled(said, (name) => values[name]) : said;
}

function filled(text, valueOf) {
  return text.replace(HOLE, (_, name, several) => {
    const value = valueOf(name);
    return several === undefined ? value : several.split("|")[forms.indexOf(plural.select(Number(value)))];
  });
}

// Return what the engine says, in the page's language; what is not in the table stays as it is. Of the
// sentences that fit, the one with most words of its own is meant.
export function translated(english) {
  if (!table || !english) return english ?? "";
  patterns ??= Object.entries(table.engine).map(pattern).sort((a, b) => b.length - a.length);
  const small = english[0].toLowerCase() + english.slice(1);
  if (Object.hasOwn(table.engine, english)) return table.engine[english];
  if (Object.hasOwn(table.engine, small)) return capital(table.engine[small]);
  for (const { found, said } of patterns) {
    const holes = found?.exec(english)?.groups;
    if (!holes) continue;
    const text = filled(said, (name) => (name.length > 1 ? translated(holes[name]) : number(holes[name])));
    return small === english ? text : capital(text);
  }
  return english;
}

export function capital(text) { return text && text[0].toUpperCase() + text.slice(1); }

function number(text) { return text.includes(",") ? Number(text.replaceAll(",", "")).toLocaleString(language) : text; }

// What finds a sentence of the engine, and what it is in this language.
function pattern([english, said]) {
  const seen = new Set();
  const parts = english.split(HOLE), { length } = english.replace(HOLE, ""); // text, a name, its forms, text, …
  if (parts.length === 1) return { said, length };
  const source = parts.map((part, k) => {
    if (k % 3 === 0) return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    if (k % 3 === 2) return "";
    const several = parts[k + 1];
    if (several !== undefined) return `(?:${several.replace(/[.?]/g, "\\$&")})`;
    if (seen.has(part)) return `\\k<${part}>`;
    seen.add(part);
    return `(?<${part}>${part.length > 1 ? ".+?" : "\\d[\\d,]*"})`;
  });
  const either = source.join("").replace(/^[a-z]/, (sign) => `[${sign}${sign.toUpperCase()}]`);
  return { found: new RegExp(`^${either}$`, "s"), said, length };
}

// Put the words of the document, which are English, into the page's language.
export function dress(place) {
  if (!table) return;
  document.documentElement.lang = language;
  const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.data.trim().replace(/\s+/g, " ");
    if (Object.hasOwn(table.page, text)) node.data = node.data.replace(node.data.trim(), table.page[text]);
  }
  for (const element of place.querySelectorAll("[aria-label]")) element.ariaLabel = phrase(element.ariaLabel);
}
