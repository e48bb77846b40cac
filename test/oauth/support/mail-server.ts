import { type Server, createServer } from 'node:net';

/** The subset of SMTP that accepts mail. */
export class MailServer {
  readonly mails: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(port = 0): Promise<MailServer> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    const mail = new MailServer(server, `smtp://127.0.0.1:${(server.address() as { port: number }).port}`);
    server.on('connection', (socket) => {
      let text: string | undefined;
      const say = (line: string) => socket.write(`${line}\r\n`);
      const hear = (line: string) => {
        if (text !== undefined && line !== '.') return void (text += `${line.replace(/^\.\./, '.')}\n`);
        if (text !== undefined) {
          mail.mails.push(readable(text));
          text = undefined;
          return void say('250 kept');
        }
        if (line !== 'DATA') return void say(line === 'QUIT' ? '221 bye' : '250 yes');
        text = '';
        return void say('354 go on');
      };
      say('220 ready');
      socket.on('data', (chunk) => chunk.toString().split('\r\n').slice(0, -1).forEach(hear));
      socket.on('error', () => undefined);
    });
    return mail;
  }

  stop(): void {
    this.server.close();
  }
}

/** Decodes quoted-printable, which long lines use. */
const readable = (text: string): string => text.replaceAll('=\n', '').replaceAll('=3D', '=');
