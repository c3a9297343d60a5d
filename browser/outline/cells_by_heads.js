// The cells of tables and grids by the heads of their row and their column: `row "A-1" column "Status"`.

const MAX_CELL_PARTS = 50; // elements in a cell whose own text may be its name
const rowSpan = getter(HTMLTableCellElement.prototype, 'rowSpan');

const SIGNS = /^[\p{So}\p{Sm}\s]+|[\p{So}\p{Sm}\s]+$/gu; // such as the arrow of the order

// saysWhole reports whether the whole text of an element, of something in it, or its name, is one. A head may have a control to sort by it.
function saysWhole(el, wanted) {
  const says = (text) => {
    const own = bare(text || '');
    return own === wanted || (own !== '' && own.replace(SIGNS, '') === wanted);
  };
  if (says(nameOf(el)) || says(textContent(el)) || (isHTML(el) && says(innerText(el)))) return true;
  return [...allIn(el, '*')].slice(0, MAX_CELL_PARTS).some((part) => says(textContent(part)) || says(attr(part, 'aria-label')));
}

// nearestTable returns the table or grid that an element stands in.
function nearestTable(el) {
  for (let up = flatParent(el); up; up = flatParent(up)) if (tagOf(up) === 'table' || /^(table|grid|treegrid)$/.test(roleOf(up) || '')) return up;
  return null;
}

// ownCells lists the cells of a row, not those of a table within it.
function ownCells(row, table) {
  return [...allIn(row, '*')].filter((el) => (CELLS.has(roleOf(el)) || el instanceof HTMLTableCellElement) && nearestTable(el) === table && closestRow(el) === row);
}

function closestRow(el) {
  for (let up = flatParent(el); up; up = flatParent(up)) if (roleOf(up) === 'row' || tagOf(up) === 'tr') return up;
  return null;
}

// gridOf lays a table out: for each row its cells with the columns that each takes, those that reach down from rows above among them. Rows that say
// of themselves that they are parts of one are one: a grid with pinned columns draws each row in pieces.
function gridOf(table) {
  const rows = [...allIn(table, '*')].filter((el) => (roleOf(el) === 'row' || tagOf(el) === 'tr') && nearestTable(el) === table);
  const grid = [], byIndex = new Map();
  let reaching = []; // cells of rows above, with how many more rows they take
  for (const row of rows) {
    const taken = reaching.flatMap((r) => r.columns), cells = [];
    let next = 0;
    for (const el of ownCells(row, table)) {
      const index = Number(attr(el, 'aria-colindex')) - 1;
      while (taken.includes(next)) next++;
      const from = index >= 0 ? index : next, columns = Array.from({ length: Math.min(spanOf(el), 1000) }, (_, i) => from + i);
      cells.push({ el, columns });
      next = from + columns.length;
    }
    const above = reaching.map(({ el, columns }) => ({ el, columns }));
    reaching = reaching.map((r) => ({ ...r, left: r.left - 1 })).filter((r) => r.left > 0);
    for (const { el, columns } of cells) {
      const down = el instanceof HTMLTableCellElement ? rowSpan(el) : Number(attr(el, 'aria-rowspan')) || 1;
      if (down > 1) reaching.push({ el, columns, left: down - 1 });
    }
    const piece = attr(row, 'aria-rowindex'), same = piece && byIndex.get(piece);
    if (same) {
      same.rows.push(row);
      same.cells.push(...cells);
      continue;
    }
    const line = { rows: [row], cells: [...cells, ...above] };
    grid.push(line);
    if (piece) byIndex.set(piece, line);
  }
  return grid;
}

// headed returns the columns of a table whose head says a text, alone or after those above it: of heads where it has any, else of its first row.
function headed(grid, wanted) {
  const heads = grid.flatMap((line) => line.cells).filter(({ el }) => roleOf(el) === 'columnheader');
  const first = heads.length ? heads : (grid[0] || { cells: [] }).cells;
  const found = new Set(first.filter(({ el }) => saysWhole(el, wanted)).flatMap(({ columns }) => columns));
  for (const column of new Set(first.flatMap(({ columns }) => columns))) {
    const whole = new Set(first.filter(({ columns }) => columns.includes(column)).map(({ el }) => textContent(el)));
    if (bare([...whole].join(' ')) === wanted) found.add(column);
  }
  return found;
}

// headOfRow ranks how a row is called by a text: 0 by its head, or its first cell; 1 by another cell; 2 by all that it says; 3 not at all.
function headOfRow(line, meetsRow, wanted) {
  if (wanted === null) return 0;
  const heads = line.cells.filter(({ el, columns }) => roleOf(el) === 'rowheader' || columns.includes(0));
  if (heads.some(({ el }) => saysWhole(el, wanted))) return 0;
  if (line.cells.some(({ el }) => saysWhole(el, wanted))) return 1;
  return line.rows.some(meetsRow) ? 2 : 3;
}

// cellsByHeads lists the cells that a line with a column means, in the document's order. Of rows that are called so in several ways the surest count.
function cellsByHeads(doc, scope, line) {
  const shown = new Set(resolveByIndex(doc, scope, { role: 'row', quote: null, n: 0 }));
  const named = new Set(line.quote === null ? [] : pick(scope, { role: 'row', quote: line.quote, n: 0 }));
  const column = bare(line.column), wanted = line.quote === null ? null : bare(line.quote);
  const found = [];
  for (const table of new Set([...shown].map(nearestTable))) {
    if (!table) continue;
    const grid = gridOf(table), columns = headed(grid, column);
    if (!columns.size) continue;
    for (const one of grid) {
      const rank = one.rows.some((row) => shown.has(row)) ? headOfRow(one, (row) => named.has(row), wanted) : 3;
      const cells = one.cells.filter(({ el, columns: own }) => roleOf(el) !== 'columnheader' && own.some((c) => columns.has(c)));
      if (rank < 3 && cells.length) found.push({ rank, cells: cells.map(({ el }) => el) });
    }
  }
  const surest = Math.min(...found.map((f) => f.rank));
  const rows = found.filter((f) => f.rank === surest);
  return (line.n ? rows.slice(line.n - 1, line.n) : rows).flatMap((f) => f.cells);
}
