type Cell = string | number | boolean | Date | null | undefined | readonly string[];
export type Row = Readonly<Record<string, Cell>>;

export interface Output {
  readonly text: string;
  readonly data: unknown;
}

export function asTable(rows: readonly Row[], whenEmpty: string): Output {
  return { text: rows.length === 0 ? whenEmpty : table(rows), data: rows };
}

export function asFields(row: Row, remark?: string): Output {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  const lines = Object.entries(row).map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`);
  return { text: [...lines, ...(remark ? ['', remark] : [])].join('\n'), data: row };
}

export const asSentence = (text: string, data: Row = {}): Output => ({ text, data });

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
