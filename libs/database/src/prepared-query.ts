import { type Connection, type QueryResult, types } from 'pg';
import { prepareValue, preparedStatementsOf } from './pg-internals.js';
import type { Prepared } from './statements.js';

export interface PendingStatement extends Prepared {
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

type Column = QueryResult['fields'][number];
type Row = Record<string, unknown>;

interface Columns {
  readonly fields: Column[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** Copying is faster than adding columns. */
  readonly empty: Row;
}

const NONE: Columns = { fields: [], parsers: [], empty: {} };

/**
 * Without this cache PostgreSQL describes the columns with every response: 12 to 14 % of the API's CPU for a message and
 * 8 % of PostgreSQL's.
 */
const knownColumns = new WeakMap<Connection, Map<string, Columns>>();

export class PreparedQuery {
  private readonly rows: Row[] = [];
  private columns: Columns | undefined;
  private connection: Connection | undefined;
  private command = '';
  private parseError: unknown;

  constructor(private readonly pending: PendingStatement) {}

  get name(): string {
    return this.pending.name;
  }

  get text(): string {
    return this.pending.text;
  }

  /** Sends no Sync. Returns the error if it cannot be sent. */
  submit(connection: Connection): unknown {
    this.connection = connection;
    const { name, text, values } = this.pending;
    const { parsedStatements, submittedNamedStatements } = preparedStatementsOf(connection);
    const prepared = name === '' ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]);
    if (prepared !== undefined && prepared !== text) return new Error(`Two statements are called ${name}`);
    if (prepared === undefined) connection.parse({ name, text, types: [] }, true);
    if (prepared === undefined && name !== '') submittedNamedStatements[name] = text;
    try {
      connection.bind({ statement: name, values, valueMapper: prepareValue } as never, true);
    } catch (error) {
      return error;
    }
    this.columns = prepared === undefined ? undefined : knownColumns.get(connection)?.get(name);
    if (!this.columns) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({ portal: '' }, true);
    return undefined;
  }

  describe(fields: Column[]): void {
    const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID));
    this.setColumns({ fields, parsers, empty: Object.fromEntries(fields.map(({ name }) => [name, null])) });
  }

  read(texts: readonly (string | null)[]): void {
    if (this.parseError) return;
    try {
      this.rows.push(parseRow(texts, this.columns!));
    } catch (error) {
      // The next run asks for the columns again.
      if (this.connection) knownColumns.get(this.connection)?.delete(this.name);
      this.parseError = error;
    }
  }

  complete(command: string): void {
    if (!this.columns) this.setColumns(NONE);
    this.command = command;
  }

  settle(): void {
    if (this.parseError) this.pending.reject(this.parseError);
    else this.pending.resolve(this.result());
  }

  reject(error: unknown): void {
    this.pending.reject(error);
  }

  private setColumns(columns: Columns): void {
    this.columns = columns;
    if (this.name === '' || !this.connection) return;
    const all = knownColumns.get(this.connection) ?? new Map<string, Columns>();
    knownColumns.set(this.connection, all.set(this.name, columns));
  }

  /** The tag is `UPDATE 5` or `INSERT 0 5`. */
  private result(): QueryResult {
    const [command = '', ...numbers] = this.command.split(' ');
    const count = numbers.at(-1);
    const rowCount = count === undefined || Number.isNaN(Number(count)) ? null : Number(count);
    return { command, rowCount, oid: 0, rows: this.rows, fields: this.columns!.fields };
  }
}

function parseRow(texts: readonly (string | null)[], { fields, parsers, empty }: Columns): Row {
  if (texts.length !== fields.length) throw new Error('The columns of a prepared statement have changed');
  const row = { ...empty };
  for (const [place, text] of texts.entries()) if (text !== null) row[fields[place]!.name] = parsers[place]!(text);
  return row;
}
