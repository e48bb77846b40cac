import { type Socket, type TcpNetConnectOpts, connect as connectTcp, isIP } from 'node:net';
import {
  type ConnectionOptions,
  type SecureContext,
  connect as connectTls,
  createSecureContext,
  rootCertificates,
} from 'node:tls';
import { type Failure, failure, failureOf } from './failure.js';
import type { SendDeadline } from './exchange.js';

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

export type DialResult = { readonly kind: 'socket'; readonly socket: Socket } | Failure;

export interface DialSettings {
  /** From the first DNS query to the end of the TLS handshake. */
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext;
}

/** Shared, because reading the certificate authorities takes milliseconds. */
export function newSecureContext(certificates: readonly string[] = []): SecureContext {
  return createSecureContext(certificates.length > 0 ? { ca: [...rootCertificates, ...certificates] } : {});
}

export class DialAttempt {
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
