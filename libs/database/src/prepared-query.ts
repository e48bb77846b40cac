import { type Connection, type QueryResult, types } from 'pg';
import utils from 'pg/lib/utils.js';
import type { Prepared } from './statements.js';

/** A statement, and who hears what became of it. */
export interface Asked extends Prepared {
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** What the client keeps in mind of a connection: the names that it has sent, and those that were prepared. */
export interface PreparedNames {
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string | undefined>;
}

type Column = QueryResult['fields'][number];
type Row = Record<string, unknown>;

/** How the rows of a statement are read. */
interface Columns {
  readonly fields: Column[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** A copy of it is made faster than a row that grows by one column after the other. */
  readonly empty: Row;
}

const NONE: Columns = { fields: [], parsers: [], empty: {} };

/** Of the statements that are prepared on a connection, by their names. */
const known = new WeakMap<Connection, Map<string, Columns>>();

/**
 * One statement of a batch. PostgreSQL describes the columns of a prepared statement the first time only, which saves it as
 * much as it saves us.
 */
export class PreparedQuery {
  private readonly rows: Row[] = [];
  private columns: Columns | undefined;
  private connection: Connection | undefined;
  private command = '';
  private unreadable: unknown;

  constructor(private readonly asked: Asked) {}

  get name(): string {
    return this.asked.name;
  }

  get text(): string {
    return this.asked.text;
  }

  /** Without a Sync. Returns why it cannot be sent. */
  submit(connection: Connection): unknown {
    this.connection = connection;
    const { name, text, values } = this.asked;
    const { parsedStatements, submittedNamedStatements } = connection as unknown as PreparedNames;
    const prepared = name === '' ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]);
    if (prepared !== undefined && prepared !== text) return new Error(`Two statements are called ${name}`);
    if (prepared === undefined) connection.parse({ name, text, types: [] }, true);
    if (prepared === undefined && name !== '') submittedNamedStatements[name] = text;
    try {
      connection.bind({ statement: name, values, valueMapper: utils.prepareValue } as never, true);
    } catch (error) {
      return error;
    }
    this.columns = prepared === undefined ? undefined : known.get(connection)?.get(name);
    if (!this.columns) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({ portal: '' }, true);
    return undefined;
  }

  describe(fields: Column[]): void {
    const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID));
    this.learn({ fields, parsers, empty: Object.fromEntries(fields.map(({ name }) => [name, null])) });
  }

  read(texts: readonly (string | null)[]): void {
    if (this.unreadable) return;
    try {
      this.rows.push(rowOf(texts, this.columns!));
    } catch (error) {
      this.forget();
      this.unreadable = error;
    }
  }

  complete(command: string): void {
    if (!this.columns) this.learn(NONE);
    this.command = command;
  }

  /** Everything that was sent with it is done. Returns why its answer cannot be read. */
  settle(): unknown {
    const { unreadable } = this;
    if (unreadable) this.asked.reject(unreadable);
    else this.asked.resolve(this.result());
    return unreadable;
  }

  reject(error: unknown): void {
    this.asked.reject(error);
  }

  private learn(columns: Columns): void {
    this.columns = columns;
    if (this.name === '' || !this.connection) return;
    const all = known.get(this.connection) ?? new Map<string, Columns>();
    known.set(this.connection, all.set(this.name, columns));
  }

  /** They are described anew the next time. */
  private forget(): void {
    if (this.connection) known.get(this.connection)?.delete(this.name);
  }

  /** As PostgreSQL says it: a word, for an insert a 0, and how many rows. */
  private result(): QueryResult {
    const [command = '', ...numbers] = this.command.split(' ');
    const count = numbers.at(-1);
    const rowCount = count === undefined || Number.isNaN(Number(count)) ? null : Number(count);
    return { command, rowCount, oid: 0, rows: this.rows, fields: this.columns!.fields };
  }
}

function rowOf(texts: readonly (string | null)[], { fields, parsers, empty }: Columns): Row {
  if (texts.length !== fields.length) throw new Error('The columns of a prepared statement are others than they were');
  const row = { ...empty };
  for (const [place, text] of texts.entries()) if (text !== null) row[fields[place]!.name] = parsers[place]!(text);
  return row;
}
