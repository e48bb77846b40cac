import { type Socket, type TcpNetConnectOpts, connect as connectTcp, isIP } from 'node:net';
import {
  type ConnectionOptions,
  type SecureContext,
  connect as connectTls,
  createSecureContext,
  rootCertificates,
} from 'node:tls';
import { type AddressGuard, type GuardedNames, type PrivateLog, pinnedAddressOptions } from '#libs/address-guard';
import { Client } from 'undici';
import type { SendDeadline } from './exchange.js';
import { type Failure, failure, failureOf } from './failure.js';

/** `hostname` has no brackets and no trailing dot. */
export interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

export function targetOf(url: URL): Target {
  const secure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { hostname, port: Number(url.port) || (secure ? 443 : 80), secure };
}

type DialResult = { readonly kind: 'socket'; readonly socket: Socket } | Failure;

export interface DialSettings {
  /** From the first DNS query to the end of the TLS handshake. */
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext;
  /** Receives what only the operator may learn. */
  readonly privateLog?: PrivateLog | undefined;
}

/** Shared, because reading the certificate authorities takes milliseconds. */
export function newSecureContext(certificates: readonly string[] = []): SecureContext {
  return createSecureContext(certificates.length > 0 ? { ca: [...rootCertificates, ...certificates] } : {});
}

export interface Dialler {
  /** Never rejects. */
  dial(target: Target, deadline: SendDeadline): Promise<DialResult>;
}

/** Connects only to addresses that it has just checked. */
export class DirectDialler implements Dialler {
  constructor(
    private readonly names: GuardedNames,
    private readonly settings: DialSettings,
  ) {}

  dial(target: Target, deadline: SendDeadline): Promise<DialResult> {
    const attempt = new DialAttempt(this.settings, deadline, 'resolving');
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
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    this.authorization =
      credentials === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  }

  async dial(target: Target, deadline: SendDeadline): Promise<DialResult> {
    const verdict = isIP(target.hostname) ? this.guard.verdict(target.hostname) : { allowed: true as const };
    if (!verdict.allowed) return failure('refused_address', `the address was refused: ${verdict.reason}`);
    const attempt = new DialAttempt(this.settings, deadline, 'tunnelling');
    return attempt.run(async () => {
      const tunnel = await this.tunnelTo(target, attempt);
      if (tunnel.kind === 'failure' || !target.secure) return tunnel;
      return attempt.secure(target, tunnel.socket);
    });
  }

  private async tunnelTo({ hostname, port }: Target, attempt: DialAttempt): Promise<DialResult> {
    const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
    const client = new Client(this.proxy.origin, { connectTimeout: this.settings.connectTimeoutMs });
    attempt.onStop(() => void client.destroy());
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

class DialAttempt {
  private ended: Failure | null = null;
  private cleanUp: (() => void) | null = null;

  constructor(
    private readonly settings: DialSettings,
    private readonly deadline: SendDeadline,
    private step: 'resolving' | 'tunnelling' | 'connecting' | 'securing',
  ) {}

  /** Leaves no socket open. */
  run(dial: () => Promise<DialResult>): Promise<DialResult> {
    return new Promise((resolve) => {
      const stop = (reason: Failure): void => {
        this.ended = reason;
        this.cleanUp?.();
        finish(reason);
      };
      const timer = setTimeout(() => stop(this.tooSlow()), this.settings.connectTimeoutMs);
      const finish = (result: DialResult): void => {
        clearTimeout(timer);
        if (this.ended && result.kind === 'socket') result.socket.destroy();
        resolve(result);
      };
      this.deadline.onEnd((interrupted) => stop(interrupted.reason));
      dial().then(finish, (error: unknown) => finish(failureOf(error)));
    });
  }

  onStop(cleanUp: () => void): void {
    this.cleanUp = cleanUp;
  }

  open(target: Target, to: TcpNetConnectOpts): Promise<DialResult> {
    if (this.ended) return Promise.resolve(this.ended);
    this.step = 'connecting';
    const options = { ...to, noDelay: true, keepAlive: true };
    if (!target.secure) return this.ready(connectTcp(options), 'connect');
    const socket = connectTls({ ...options, ...this.tlsOptions(target) });
    socket.once('connect', () => (this.step = 'securing'));
    return this.ready(socket, 'secureConnect');
  }

  secure(target: Target, tunnel: Socket): Promise<DialResult> {
    if (this.ended) return Promise.resolve(this.ended);
    this.step = 'securing';
    return this.ready(connectTls({ socket: tunnel, ...this.tlsOptions(target) }), 'secureConnect');
  }

  private ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<DialResult> {
    this.onStop(() => socket.destroy());
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

  private tooSlow(): Failure {
    const within = `within ${this.settings.connectTimeoutMs} ms`;
    if (this.step === 'resolving') return failure('dns', `the name servers gave no answer ${within}`);
    if (this.step === 'tunnelling') return failure('proxy', `the proxy opened no tunnel ${within}`);
    return failure('timeout', this.step === 'connecting' ? `no connection ${within}` : `no TLS handshake ${within}`);
  }

  /** Checks the certificate even if the environment disables it. */
  private tlsOptions({ hostname }: Target): ConnectionOptions {
    const identity = isIP(hostname) ? { host: hostname } : { servername: hostname };
    return {
      ...identity,
      secureContext: this.settings.secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    };
  }
}
