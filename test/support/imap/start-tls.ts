import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from '../../receivers/certificate.js';

const CAPABILITIES = 'IMAP4rev1 STARTTLS LOGINDISABLED';

/** Speaks plain text until the client requests TLS, and continues over that. Records the plain text. */
export function untilStartTls(
  socket: Socket,
  certificate: Certificate,
  { commands, goOn }: { readonly commands: string[]; readonly goOn: (encrypted: Socket) => void },
): void {
  const encrypt = (): void => {
    socket.off('data', hear);
    const encrypted = new TLSSocket(socket, { isServer: true, ...certificate });
    encrypted.on('error', () => undefined);
    goOn(encrypted);
  };
  const hear = (chunk: Buffer): void => {
    const [tag, command = '', ...rest] = chunk.toString('latin1').trim().split(' ');
    commands.push([command, ...rest].join(' '));
    if (command === 'CAPABILITY') socket.write(`* CAPABILITY ${CAPABILITIES}\r\n`);
    socket.write(`${tag} ${['CAPABILITY', 'STARTTLS'].includes(command) ? 'OK' : 'BAD'} done\r\n`);
    if (command === 'STARTTLS') encrypt();
  };
  socket.write(`* OK [CAPABILITY ${CAPABILITIES}] ready\r\n`);
  socket.on('data', hear);
}
