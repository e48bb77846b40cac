import { type Socket, type TcpNetConnectOpts, connect as connectTcp, isIP } from 'node:net';
import { type ConnectionOptions, type SecureContext, connect as connectTls } from 'node:tls';
import { type AddressGuard, type GuardedNames, type PrivateLog, pinnedAddressOptions } from '#libs/address-guard';
import { Client } from 'undici';
import { ExchangeInterrupted, type Failure, failure, failureOf } from './failure.js';
import type { Stop } from './stop.js';

type Target = Readonly<ReturnType<typeof targetOf>>;

/** `hostname` has no brackets and no trailing dot. */
export function targetOf(url: URL) {
  const secure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { hostname, port: Number(url.port) || (secure ? 443 : 80), secure };
}

type DialResult = { readonly kind: 'socket'; readonly socket: Socket } | Failure;

export interface DialSettings {
  /** From the first DNS query to the end of the TLS handshake. */
  readonly connectTimeoutMs: number;
  /** Shared, because reading the certificate authorities takes milliseconds. */
  readonly secureContext: SecureContext;
  /** Receives what only the operator may learn. */
  readonly privateLog?: PrivateLog | undefined;
}

export interface Dialler {
  /** Never rejects. Stops the request when it takes too long. */
  dial(target: Target, stop: Stop): Promise<DialResult>;
}

/** Connects only to addresses that it has just checked. */
export class DirectDialler implements Dialler {
  constructor(
    private readonly names: GuardedNames,
    private readonly settings: DialSettings,
  ) {}

  dial(target: Target, stop: Stop): Promise<DialResult> {
    const attempt = new DialAttempt(this.settings, stop, 'resolving');
    return attempt.run(async () => {
      const located = await this.names.locate(target.hostname);
      if (located.kind === 'failure') return located;
      return attempt.open(target, { port: target.port, ...pinnedAddressOptions(target.hostname, located.addresses) });
    });
  }
}

/**
 * Tunnels even for http, so the proxy cannot change the signed bytes. The proxy must check the addresses of names; an
 * address in the URL is checked here.
 */
export class ProxyDialler implements Dialler {
  private readonly authorization: Record<string, string>;

  constructor(
    private readonly proxy: URL,
    private readonly guard: AddressGuard,
    private readonly settings: DialSettings,
  ) {
    const credentials = decodeURIComponent(`${proxy.username}:${proxy.password}`);
    this.authorization =
      credentials === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  }

  async dial(target: Target, stop: Stop): Promise<DialResult> {
    const verdict = isIP(target.hostname) ? this.guard.verdict(target.hostname) : { allowed: true as const };
    if (!verdict.allowed) return failure('refused_address', `the address was refused: ${verdict.reason}`);
    const attempt = new DialAttempt(this.settings, stop, 'tunnelling');
    return attempt.run(async () => {
      const tunnel = await this.tunnelTo(target, attempt);
      if (tunnel.kind === 'failure' || !target.secure) return tunnel;
      return attempt.secure(target, tunnel.socket);
    });
  }

  private async tunnelTo({ hostname, port }: Target, attempt: DialAttempt): Promise<DialResult> {
    const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
    const client = new Client(this.proxy.origin, { connectTimeout: this.settings.connectTimeoutMs });
    attempt.cleanUp = () => void client.destroy();
    try {
      const headers = { host: authority, ...this.authorization };
      const { statusCode, socket } = await client.connect({ path: authority, headers });
      socket.on('error', () => socket.destroy());
      if (statusCode === 200) return { kind: 'socket', socket: socket as Socket };
      socket.destroy();
      const { privateLog } = this.settings;
      privateLog?.info({ host: hostname, status: statusCode }, 'the proxy refused a connection');
      return failure('proxy', privateLog ? 'the proxy refused' : `the proxy refused with status ${statusCode}`);
    } catch {
      return failure('proxy', 'the proxy could not be reached');
    } finally {
      void client.destroy();
    }
  }
}

const SLOW_STEPS = {
  resolving: ['dns', 'the name servers gave no answer'],
  tunnelling: ['proxy', 'the proxy opened no tunnel'],
  connecting: ['timeout', 'no connection'],
  securing: ['timeout', 'no TLS handshake'],
} as const;

class DialAttempt {
  cleanUp = (): void => undefined;

  constructor(
    private readonly settings: DialSettings,
    private readonly stop: Stop,
    private step: keyof typeof SLOW_STEPS,
  ) {}

  /** Leaves no socket open. */
  run(dial: () => Promise<DialResult>): Promise<DialResult> {
    const timer = setTimeout(() => this.stop.end(this.tooSlow()), this.settings.connectTimeoutMs);
    const stopped = new Promise<DialResult>((resolve) => {
      this.stop.listener = ({ reason }) => {
        resolve(reason);
        this.cleanUp();
      };
    });
    return Promise.race([stopped, dial().catch(failureOf)]).finally(() => clearTimeout(timer));
  }

  open(target: Target, to: TcpNetConnectOpts): Promise<DialResult> {
    if (this.stop.reason) throw this.stop.reason;
    this.step = 'connecting';
    const options = { ...to, noDelay: true, keepAlive: true };
    if (!target.secure) return this.ready(connectTcp(options), 'connect');
    const socket = connectTls({ ...options, ...this.tlsOptions(target) });
    socket.once('connect', () => (this.step = 'securing'));
    return this.ready(socket, 'secureConnect');
  }

  secure(target: Target, socket: Socket): Promise<DialResult> {
    this.step = 'securing';
    return this.ready(connectTls({ socket, ...this.tlsOptions(target) }), 'secureConnect');
  }

  private ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<DialResult> {
    this.cleanUp = () => void socket.destroy();
    return new Promise((resolve) => {
      socket.once(event, () => resolve({ kind: 'socket', socket }));
      // An error without a listener ends the process.
      socket.on('error', (error) => resolve(this.explain(error)));
    });
  }

  private explain(error: Error): Failure {
    const reason = failureOf(error);
    const duringHandshake = this.step === 'securing' && reason.error !== 'tls';
    return duringHandshake ? failure('tls', 'the connection was closed during the TLS handshake') : reason;
  }

  private tooSlow(): ExchangeInterrupted {
    const [error, what] = SLOW_STEPS[this.step];
    return new ExchangeInterrupted(error, `${what} within ${this.settings.connectTimeoutMs} ms`);
  }

  /** Checks the certificate even if the environment disables it. */
  private tlsOptions({ hostname }: Target): ConnectionOptions {
    return {
      ...(isIP(hostname) ? { host: hostname } : { servername: hostname }),
      secureContext: this.settings.secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    };
  }
}
