import { isIP, type Socket } from 'node:net';
import { Client } from 'undici';
import type { AddressGuard } from '#libs/address-guard';
import type { SendDeadline } from './send-deadline.js';
import { DialAttempt, type DialResult, type DialSettings } from './dial-attempt.js';
import type { Dialler } from './dialler.js';
import { failure } from './failure.js';
import type { Target } from './target.js';

/**
 * Reaches every target through the operator's forward proxy by CONNECT, even over http, so the proxy does not read or
 * change the signed bytes. The proxy resolves names, so only it can check their addresses. An address in the URL itself is
 * still checked here.
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
      return failure('proxy', `the proxy refused with status ${statusCode}`);
    } catch {
      return failure('proxy', 'the proxy could not be reached');
    } finally {
      void client.destroy();
    }
  }
}
