import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';

/** The response of a name server for a name: addresses, an error, or none at all. */
export type Zone = Readonly<Record<string, readonly string[] | 'unknown' | 'broken' | 'silent'>>;

const NO_SUCH_NAME = 3;
const SERVER_FAILURE = 2;
const TYPE_A = 1;

/** A name server for IPv4, with the part of RFC 1035 that a resolver needs. */
export class NameServer {
  readonly questions: string[] = [];

  private constructor(
    private readonly socket: Socket,
    private readonly zone: Zone,
  ) {
    socket.on('message', (message, from) => this.answer(message, from));
  }

  static async start(zone: Zone): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new NameServer(socket, zone);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(resolve));
  }

  private answer(message: Buffer, from: RemoteInfo): void {
    const { name, type, end } = readQuestion(message);
    this.questions.push(name);
    const entry = this.zone[name] ?? 'unknown';
    if (entry === 'silent') return;
    const addresses = Array.isArray(entry) && type === TYPE_A ? entry : [];
    const error = entry === 'unknown' ? NO_SUCH_NAME : entry === 'broken' ? SERVER_FAILURE : 0;
    const header = Buffer.from([...message.subarray(0, 2), 0x81, 0x80 | error, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
    this.socket.send(
      Buffer.concat([header, message.subarray(12, end), ...addresses.map(record)]),
      from.port,
      from.address,
    );
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** An A record of the requested name, valid for a minute. */
function record(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]);
}
