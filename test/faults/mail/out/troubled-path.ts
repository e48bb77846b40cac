import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import type { SeededChoices } from '#test/support/seeded-choices.js';
import { mailKey } from './mail-key.js';
import { TroubledConversation } from './troubled-conversation.js';
import { drawTrouble } from './trouble.js';

/** A proxy between the product and the next hop: one connection in eight fails, at a random stage. */
export class TroubledPath {
  /** How often the end of an email was sent without an answer. */
  readonly unheard = new Map<string, number>();
  readonly met = new Map<string, number>();
  private isCalm = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(
    private readonly target: () => number,
    private readonly choices: SeededChoices,
  ) {
    this.server = createServer((socket) => this.join(socket));
  }

  static async inFrontOf(target: () => number, choices: SeededChoices): Promise<TroubledPath> {
    const path = new TroubledPath(target, choices);
    await once(path.server.listen(0, '127.0.0.1'), 'listening');
    return path;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Stops all failures from now on. */
  calm(): void {
    this.isCalm = true;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(sender: Socket): void {
    const server = connect(this.target(), '127.0.0.1');
    for (const socket of [sender, server]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.sockets.delete(socket));
    }
    const trouble = this.isCalm ? null : drawTrouble(this.choices);
    if (trouble) this.count(`${trouble.stage} ${trouble.says.slice(0, 3)}`);
    // oxlint-disable-next-line no-new
    new TroubledConversation(sender, server, trouble, (mailId, recipient) => {
      if (mailId === null) return;
      const key = mailKey(mailId, recipient);
      this.unheard.set(key, (this.unheard.get(key) ?? 0) + 1);
    });
  }

  private count(name: string): void {
    this.met.set(name, (this.met.get(name) ?? 0) + 1);
  }
}
