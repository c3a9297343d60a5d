// npm's pixelmatch, worked by the Go tests: reads [[before, after], …], names of
// PNG files, on stdin, and prints what it counts of each pair as one JSON text.
import { readFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const counts = (await json(process.stdin)).map((pair) => {
  const [before, after] = pair.map((name) => PNG.sync.read(readFileSync(name)));
  const count = (options) => pixelmatch(before.data, after.data, undefined, before.width, before.height, options);
  let raw = 0;
  for (let i = 0; i < before.data.length; i += 4) raw += before.data.compare(after.data, i, i + 4, i, i + 4) !== 0;
  return { changed: count({}), withAntialiasing: count({ includeAA: true }), raw };
});
process.stdout.write(JSON.stringify(counts));
