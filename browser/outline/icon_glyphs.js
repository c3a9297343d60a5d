// Icons that are characters: fonts of icons give them to codes of private use. Where a font has no glyph for such a code, a person sees an empty box.

const PRIVATE = /[\uE000-\uF8FF\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]/u;
const NO_ICON = '\u{10FFFD}'; // the last code of private use: what is drawn like it has no glyph
const ICON_TAGS = new Set(['i', 'span', 'em', 'b', 'a', 'button', 'li']);
const MAX_ICONS = 200;

// iconsOf returns the characters of private use that an element's own generated content shows.
function iconsOf(el, tag) {
  if (!ICON_TAGS.has(tag)) return [];
  return ['::before', '::after'].filter((part) => PRIVATE.test(styleOf(el, part).content)).map((part) => ({ el, part, text: styleOf(el, part).content }));
}

// missingGlyphs returns the icons whose font draws them as it draws a character that it does not have. Fonts that are still loading are not judged.
function missingGlyphs(doc, icons) {
  if (!icons.length || fontsOf(doc).status === 'loading') return [];
  const canvas = new OffscreenCanvas(64, 64), pen = canvas.getContext('2d', { willReadFrequently: true });
  const drawn = (font, character) => {
    pen.clearRect(0, 0, 64, 64);
    pen.font = font;
    pen.fillText(character, 12, 48);
    return pen.getImageData(0, 0, 64, 64).data.join();
  };
  const out = [], seen = new Set(), none = new Map();
  for (const { el, part, text } of icons) {
    const style = styleOf(el, part), font = `${style.fontStyle} ${style.fontWeight} 36px ${style.fontFamily}`;
    const character = PRIVATE.exec(text)[0];
    if (seen.has(font + character) || style.visibility !== 'visible' || opaqueness(style.color) === 0) continue;
    seen.add(font + character);
    if (!none.has(font)) none.set(font, drawn(font, NO_ICON));
    if (drawn(font, character) === none.get(font)) out.push({ s: cssPath(el), k: 'U+' + character.codePointAt(0).toString(16).toUpperCase(), t: style.fontFamily.slice(0, 100) });
  }
  return out;
}
