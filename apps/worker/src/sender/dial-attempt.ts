import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import {
  connect as connectTls,
  createSecureContext,
  rootCertificates,
  type ConnectionOptions,
  type SecureContext,
} from 'node:tls';
import type { Deadline } from './deadline.js';
import { failure, failureOf, type Failure } from './failure.js';
import type { Target } from './target.js';

export type DialResult = { readonly kind: 'socket'; readonly socket: Socket } | Failure;

export interface DialSettings {
  /** From the first question to the name servers to the end of the TLS handshake. */
  readonly connectTimeoutMs: number;
  readonly secureContext: SecureContext;
}

/** Made once and shared: reading the certificate authorities anew for every connection costs milliseconds. */
export function newSecureContext(certificates: readonly string[] = []): SecureContext {
  return createSecureContext(certificates.length > 0 ? { ca: [...rootCertificates, ...certificates] } : {});
}

/** One way from nothing to a ready socket, which time or a stopping process may cut short at any step. */
export class DialAttempt {
  private ended: Failure | null = null;
  private cleanUp: (() => void) | null = null;

  constructor(
    private readonly settings: DialSettings,
    private readonly deadline: Deadline,
    private step: 'resolving' | 'tunnelling' | 'connecting' | 'securing',
  ) {}

  /** Runs `dial` against the clock. Whichever is first decides, and the loser leaves no socket behind. */
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

  /** What to take down when the dial is cut short at its present step. */
  onStop(cleanUp: () => void): void {
    this.cleanUp = cleanUp;
  }

  /** TCP, and TLS on top where the target is secure. */
  open(target: Target, to: TcpNetConnectOpts): Promise<DialResult> {
    if (this.ended) return Promise.resolve(this.ended);
    this.step = 'connecting';
    const options = { ...to, noDelay: true, keepAlive: true };
    if (!target.secure) return this.ready(connectTcp(options), 'connect');
    const socket = connectTls({ ...options, ...this.tlsOptions(target) });
    socket.once('connect', () => (this.step = 'securing'));
    return this.ready(socket, 'secureConnect');
  }

  /** TLS through a tunnel that is already there. */
  secure(target: Target, tunnel: Socket): Promise<DialResult> {
    if (this.ended) return Promise.resolve(this.ended);
    this.step = 'securing';
    return this.ready(connectTls({ socket: tunnel, ...this.tlsOptions(target) }), 'secureConnect');
  }

  private ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<DialResult> {
    this.onStop(() => socket.destroy());
    return new Promise((resolve) => {
      socket.once(event, () => resolve({ kind: 'socket', socket }));
      // Stays on for the life of the socket: an error without a listener would end the process.
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

  /** The name asked for is the name to be proven, whatever its address; the environment cannot switch that off. */
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
