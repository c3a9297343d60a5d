// How text is written in a line and compared: one form for what is shown and what is searched for.

const NAME_MAX = 80;
const PROSE_MAX = 200;

// Invisible characters, with which a page could make two names look alike, turn a line around, or hide words in it.
const UNSEEN = new RegExp('[\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E' +
  '\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E0FFF}]', 'gu');
// Icon fonts draw their glyphs from the private-use areas.
const GLYPHS = /[\uE000-\uF8FF\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]/gu;

const tidy = (s) => s.toWellFormed().replace(UNSEEN, '').replace(/\s+/g, ' ').trim();

// bare returns the form in which two texts are compared: without icon glyphs.
const bare = (s) => tidy(s.replace(GLYPHS, ''));

// cut shortens to max characters, the last of them an ellipsis.
function cut(s, max) {
  if (s.length <= max) return s;
  const chars = [...s];
  return chars.length <= max ? s : chars.slice(0, max - 1).join('').trimEnd() + '…';
}

const quoted = (s) => '"' + s.replace(/[\\"]/g, '\\$&') + '"';
