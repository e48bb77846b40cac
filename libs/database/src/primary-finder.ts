import { Client } from 'pg';

const ASK_TIMEOUT_MS = 3_000;

/** A pool opens several connections at once: one question is enough for them. */
const KNOWN_FOR_MS = 1_000;

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** Of several hosts, the one that takes writes. Which one that is changes with each failover, so it is asked again. */
export class PrimaryFinder {
  private known: { readonly answer: Promise<Host>; readonly at: number } | undefined;

  /** The same address for each host. */
  constructor(private readonly urls: readonly string[]) {}

  find(): Promise<Host> {
    if (!this.known || performance.now() - this.known.at > KNOWN_FOR_MS)
      this.known = { answer: this.ask(), at: performance.now() };
    return this.known.answer;
  }

  private async ask(): Promise<Host> {
    try {
      return await Promise.any(this.urls.map(hostThatTakesWrites));
    } catch (error) {
      const { errors } = error as AggregateError;
      const reasons = errors.map(({ message }: Error) => message).join('; ');
      throw new Error(`There is no connection to a PostgreSQL that takes writes: ${reasons}`, { cause: error });
    }
  }
}

async function hostThatTakesWrites(url: string): Promise<Host> {
  const client = new Client({
    connectionString: url,
    application_name: 'deskwire-primary',
    connectionTimeoutMillis: ASK_TIMEOUT_MS,
    query_timeout: ASK_TIMEOUT_MS,
  });
  // Said by the question as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    const { host, port } = client;
    if (rows[0]?.transaction_read_only === 'off') return { host, port };
    throw new Error(`${host}:${port} takes no writes`);
  } finally {
    client.connection.stream.destroy();
  }
}
