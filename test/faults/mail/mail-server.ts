import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ImapFlow } from 'imapflow';
import { serverUser } from '../../../apps/launcher/src/system-user.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '../../../apps/launcher/src/ports.js';

/** How to run one kind of server in its own folder. */
export interface MailServerKind {
  readonly name: string;
  prepare(place: { readonly folder: string; readonly port: number }): Program;
}

interface Program {
  readonly files: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  readonly command: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
}

export const USER = 'ana';
export const PASSWORD = 'right';
export const FOLDER = 'Help';

const COPY_TRIES = 5;

/** A real mail server with one inbound folder. */
export class MailServer {
  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly folder: string,
    private readonly running: ChildProcess,
  ) {}

  static async start(kind: MailServerKind): Promise<MailServer> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), `deskwire-${kind.name}-`));
    const port = await freePort();
    const { files, folders, command, environment = {} } = kind.prepare({ folder, port });
    for (const name of folders) fs.mkdirSync(path.join(folder, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    giveAway(folder);
    const [program, ...words] = command;
    const running = spawn(program, words, { stdio: 'ignore', env: { ...process.env, ...environment } });
    const server = new MailServer(kind.name, port, folder, running);
    await eventually(() => server.withClient((client) => client.mailboxCreate(FOLDER)), { withinMs: 30_000 });
    return server;
  }

  async withClient<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      return await work(client);
    } finally {
      client.close();
    }
  }

  async connect(): Promise<ImapFlow> {
    const auth = { user: USER, pass: PASSWORD };
    const server = { host: '127.0.0.1', port: this.port, secure: false, doSTARTTLS: false };
    const client = new ImapFlow({ ...server, auth, logger: false, disableAutoIdle: true, disableCompression: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Puts the same emails into a new folder of the same name, with another UIDVALIDITY. */
  async renumber(count: number): Promise<void> {
    await this.withClient(async (client) => {
      await client.mailboxRename(FOLDER, `Former${count}`);
      await client.mailboxCreate(FOLDER);
    });
    return this.copyAll(`Former${count}`);
  }

  /** The product cannot lose an email that is not in the folder any more. */
  private async copyAll(former: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      const isCopied = await this.withClient(async (client) => {
        const { exists } = await client.mailboxOpen(former);
        return exists === 0 || Boolean(await client.messageCopy('1:*', FOLDER));
      });
      if (isCopied) return;
      if (tries === COPY_TRIES) throw new Error(`${this.name} does not copy its mails, so this says nothing`);
    }
  }

  /** Like a second mail program of the same user. */
  markAllRead(): Promise<void> {
    return this.withClient(async (client) => {
      const { exists } = await client.mailboxOpen(FOLDER);
      if (exists > 0) await client.messageFlagsAdd('1:*', [String.raw`\Seen`]);
    });
  }

  async stop(): Promise<void> {
    const ended = once(this.running, 'exit');
    this.running.kill('SIGTERM');
    await ended;
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Servers of a root process run as another account. */
function giveAway(folder: string): void {
  const user = serverUser();
  if (!user) return;
  for (const name of ['', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    fs.chownSync(path.join(folder, name), user.uid, user.gid);
  fs.chmodSync(folder, 0o755);
}
