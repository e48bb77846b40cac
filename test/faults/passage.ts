import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

type Join = (client: Socket, server: Socket) => void;

/** A port whose connections are passed on to the target, each with a connection of its own. */
export class Passage {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(target: () => { readonly host?: string; readonly port: number }, join: Join) {
    this.server = createServer((client) => {
      const onward = connect({ host: '127.0.0.1', ...target() });
      for (const one of [client, onward]) {
        this.sockets.add(one);
        one.on('error', () => one.destroy()).on('close', () => this.sockets.delete(one));
      }
      join(client, onward);
    });
  }

  static async to(target: () => number, join: Join): Promise<Passage> {
    return new Passage(() => ({ port: target() }), join).listen();
  }

  /** Returns the address of the database through the passage, too. */
  static async toDatabase(databaseUrl: string, join: Join): Promise<{ passage: Passage; url: string }> {
    const { hostname: host, port } = new URL(databaseUrl);
    const passage = await new Passage(() => ({ host, port: Number(port) }), join).listen();
    return { passage, url: Object.assign(new URL(databaseUrl), { port: `${passage.port}` }).href };
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  endAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.server.close();
    this.endAll();
  }

  private async listen(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }
}

/** Closes each socket when the other ends. */
export function endTogether(client: Socket, server: Socket): void {
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
}
