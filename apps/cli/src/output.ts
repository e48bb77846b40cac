/** One value of a row as people read it; programs get the value itself with `--json`. */
type Cell = string | number | boolean | Date | null | undefined | readonly string[];
export type Row = Readonly<Record<string, Cell>>;

export interface OutputOptions {
  readonly json?: boolean;
}

/** Several things: a table, or a JSON list. */
export function printRows(rows: readonly Row[], options: OutputOptions, whenEmpty: string): void {
  if (options.json) return console.log(JSON.stringify(rows, null, 2));
  console.log(rows.length === 0 ? whenEmpty : table(rows));
}

/** One thing: a line per field, or a JSON object. */
export function printRow(row: Row, options: OutputOptions, remark?: string): void {
  if (options.json) return console.log(JSON.stringify(row, null, 2));
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  for (const [name, value] of Object.entries(row)) console.log(`${name.padEnd(width)}  ${formatCell(value)}`);
  if (remark) console.log(`\n${remark}`);
}

export function printResult(sentence: string, row: Row, options: OutputOptions): void {
  console.log(options.json ? JSON.stringify(row, null, 2) : sentence);
}

function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => formatCell(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const draw = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((line) => draw(line).trimEnd()).join('\n');
}

function formatCell(value: Cell): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(' ') : String(value);
}
