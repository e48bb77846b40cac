import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, type Dispatcher, buildConnector, request } from 'undici';
import { freePort } from '../../apps/launcher/src/ports.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { DOMAIN, PROXIES, proxyProgram } from './proxy-programs.js';

/** The proxy is 127.0.0.1, which TRUSTED_PROXIES names. */
export const CLIENT_ADDRESS = '127.0.0.2';

type Init = Partial<Omit<Dispatcher.RequestOptions, 'origin' | 'path'>>;

/** A desk behind a proxy that runs with the printed configuration. */
export class ProxiedDesk {
  private readonly agent: Agent;

  private constructor(
    readonly desk: Desk,
    readonly ports: { readonly http: number; readonly https: number },
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    this.agent = new Agent({ connect: this.connector(), bodyTimeout: 60_000, headersTimeout: 60_000 });
  }

  static async start(name: keyof typeof PROXIES): Promise<ProxiedDesk> {
    const kind = PROXIES[name];
    const [program = '', ...words] = proxyProgram(kind, true)!;
    const desk = await startDesk({ settings: { PUBLIC_URL: `https://${DOMAIN}`, TRUSTED_PROXIES: '127.0.0.1/32' } });
    const ports = { http: await freePort(), https: await freePort() };
    const folder = mkdtempSync(path.join(tmpdir(), 'proxy-'));
    const { run } = kind.setUp(folder, { ...ports, api: Number(new URL(desk.base).port) });
    const child = spawn(program, [...words, ...run], { stdio: ['ignore', 'ignore', 'inherit'], env: { HOME: folder } });
    const proxied = new ProxiedDesk(desk, ports, folder, child);
    await eventually(async () => (await proxied.ask('/readyz')).statusCode === 200, { withinMs: 20_000 });
    return proxied;
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null) await once(this.child, 'exit');
    await this.desk.stop();
    rmSync(this.folder, { recursive: true });
  }

  /** Sends a request as a remote client that checks the certificate. */
  ask(target: string, init: Init = {}): Promise<Dispatcher.ResponseData<unknown>> {
    return request(`https://${DOMAIN}${target}`, { ...init, dispatcher: this.agent });
  }

  /** Calls the API with the token of the owner. */
  // Read as a client reads it: by name.
  // oxlint-disable-next-line typescript/no-explicit-any
  async call(method: 'GET' | 'POST', target: string, body?: unknown): Promise<{ status: number; body: any }> {
    const headers = { authorization: `Bearer ${this.desk.account.owner.token}`, 'content-type': 'application/json' };
    const answer = await this.ask(target, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  }

  private connector(): buildConnector.connector {
    let connect: buildConnector.connector | undefined;
    return (options, callback) => {
      connect ??= buildConnector({ ca: this.authority() });
      connect(
        {
          ...options,
          localAddress: CLIENT_ADDRESS,
          hostname: '127.0.0.1',
          port: `${this.ports.https}`,
          servername: DOMAIN,
        },
        callback,
      );
    };
  }

  /** The self-signed certificate, or Caddy’s own authority. */
  private authority(): string {
    const [first, ofCaddy] = ['certificate.pem', 'storage/pki/authorities/local/root.crt'].map((name) =>
      path.join(this.folder, name),
    );
    return readFileSync(existsSync(first!) ? first! : ofCaddy!, 'utf8');
  }
}
