import net from 'node:net';
import { callbackify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { destroyConnection, isWaiting, onServerError, setHost, socketOf } from './pg-internals.js';

/** The primary became a standby. The next connection finds the new one. */
const READ_ONLY = '25006';

/** After this long without a response, the client checks that the server is there. */
const SILENCE_MS = 5_000;
const CHECK_TIMEOUT_MS = 4_000;

/** PostgreSQL and every pooler respond to an SSLRequest with one letter, before they ask for a password. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

interface ResilientOptions {
  /** After this long without a response, the connection is lost, even if the server accepts new ones. */
  readonly maxSilenceMs?: number | undefined;
  readonly hostUrls?: readonly string[];
}

export class ResilientClient extends Client {
  private readonly hostUrls: readonly string[] | undefined;

  constructor(options: ClientConfig & ResilientOptions) {
    super(options);
    this.hostUrls = options.hostUrls;
    this.once('connect', () => watchSilence(this, options.maxSilenceMs));
    onServerError(this, (code) => {
      if (code === READ_ONLY) setImmediate(() => destroyConnection(this));
    });
  }

  /**
   * A connection can fail twice, or without a listener during its handover, and Node would end the process. The user's
   * query reports the loss anyway.
   */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error' && this.listenerCount(event) === 0) return false;
    return super.emit(event, ...args);
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | void {
    if (!this.hostUrls) return callback ? super.connect(callback) : super.connect();
    const connected = findPrimary(this.hostUrls).then((host) => {
      setHost(this, host);
      return super.connect();
    });
    if (!callback) return connected;
    callbackify(() => connected)(callback);
  }
}

/**
 * Destroys a waiting connection whose server is gone: a vanished host sends no reset, and the operating system waits a
 * quarter of an hour. A slow statement goes on for up to `maxSilenceMs`.
 */
function watchSilence(client: Client, maxSilenceMs = Number.POSITIVE_INFINITY): void {
  const socket = socketOf(client);
  let silence = { readBytes: 0, ms: 0 };
  const check = async (): Promise<void> => {
    if (!isWaiting(client)) return;
    const { bytesRead } = socket;
    silence = { readBytes: bytesRead, ms: SILENCE_MS + (silence.readBytes === bytesRead ? silence.ms : 0) };
    const isLost = !(await isReachable(socket)) || silence.ms >= maxSilenceMs;
    if (socket.destroyed || socket.bytesRead !== bytesRead) return;
    if (isLost) socket.destroy(connectionError('08006', 'The connection is lost: PostgreSQL does not respond'));
    else socket.setTimeout(SILENCE_MS);
  };
  socket.on('timeout', () => void check());
  socket.setTimeout(SILENCE_MS);
}

/** With the SQLSTATE that PostgreSQL has for it, as callers tell errors apart by their code. */
const connectionError = (code: '08001' | '08006', message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

/** A Unix socket counts as reachable. */
function isReachable({ remoteAddress: host, remotePort: port }: net.Socket): Promise<boolean> {
  if (host === undefined || port === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const probe = net.connect({ host, port, timeout: CHECK_TIMEOUT_MS });
    const finish = (reachable: boolean) => () => {
      probe.destroy();
      resolve(reachable);
    };
    probe.once('connect', () => probe.write(SSL_REQUEST));
    probe.once('data', finish(true));
    for (const event of ['timeout', 'error', 'end']) probe.once(event, finish(false));
  });
}

const TIMEOUT_MS = 3_000;

type Host = Pick<Client, 'host' | 'port'>;

/** Called for each connection, because of failovers. */
async function findPrimary(urls: readonly string[]): Promise<Host> {
  try {
    return await Promise.any(urls.map(hostThatTakesWrites));
  } catch (error) {
    const { errors } = error as AggregateError;
    const reasons = errors.map(({ message }: Error) => message).join('; ');
    throw connectionError('08001', `There is no connection to a PostgreSQL that takes writes: ${reasons}`, error);
  }
}

async function hostThatTakesWrites(url: string): Promise<Host> {
  const client = new Client({
    connectionString: url,
    application_name: 'deskwire-primary',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // The failed query reports it too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    const { host, port } = client;
    if (rows[0]?.transaction_read_only === 'off') return { host, port };
    throw new Error(`${host}:${port} takes no writes`);
  } finally {
    destroyConnection(client);
  }
}
