import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from '../../receivers/certificate.js';
import { ImapConversation, type Misdeed } from './conversation.js';
import { Folder } from './folder.js';
import { untilStartTls } from './start-tls.js';

export interface ImapTls extends Certificate {
  readonly by: 'tls' | 'starttls';
}

/**
 * The part of an IMAP server that reading a folder needs: SELECT, UID SEARCH, UID FETCH and IDLE. A test can make it
 * misbehave at any command.
 */
export class ImapServer {
  readonly folders = new Map([['INBOX', new Folder()]]);
  readonly commands: string[] = [];
  password = 'right';
  accessToken = 'none was given out';
  misdeed: Misdeed = () => false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(tls?: ImapTls) {
    const serve = (socket: Socket): void => this.serve(socket, tls);
    this.server = tls?.by === 'tls' ? createTlsServer(tls, serve) : createServer(serve);
  }

  static async start(tls?: ImapTls): Promise<ImapServer> {
    const started = new ImapServer(tls);
    await once(started.server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get inbox(): Folder {
    return this.folders.get('INBOX')!;
  }

  get connections(): number {
    return this.sockets.size;
  }

  get settings() {
    return { host: '127.0.0.1', port: this.port, security: 'none', username: 'ana', password: 'right' };
  }

  private serve(socket: Socket, tls?: ImapTls): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    if (tls?.by !== 'starttls') return new ImapConversation(this, socket).begin();
    const goOn = (encrypted: Socket) => new ImapConversation(this, encrypted).begin({ greets: false });
    untilStartTls(socket, tls, { commands: this.commands, goOn });
  }

  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.disconnect();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
