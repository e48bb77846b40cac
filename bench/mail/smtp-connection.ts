import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

/**
 * A connection to the mail port that sends emails in a row. Minimal, since it shares the cores with the measured
 * processes.
 */
export class SmtpConnection {
  private constructor(
    private readonly socket: Socket,
    private answered: (code: string) => void,
  ) {
    let unread = '';
    socket.on('data', (chunk: Buffer) => {
      unread += chunk.toString('latin1');
      const end = /^(\d{3}) [^\n]*\n/m.exec(unread);
      if (!end) return;
      unread = '';
      this.answered(end[1]!);
    });
  }

  static async open(port: number): Promise<SmtpConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const opened = new SmtpConnection(socket, () => undefined);
    await opened.answer('220');
    await opened.ask('EHLO bench.test', '250');
    return opened;
  }

  /** Resolves when the mail is accepted. */
  async bring(mail: { readonly from: string; readonly to: string; readonly text: string }): Promise<void> {
    await this.ask(`MAIL FROM:<${mail.from}>`, '250');
    await this.ask(`RCPT TO:<${mail.to}>`, '250');
    await this.ask('DATA', '354');
    await this.ask(`${mail.text}\r\n.`, '250');
  }

  close(): void {
    this.socket.destroy();
  }

  private ask(line: string, wanted: string): Promise<void> {
    const answer = this.answer(wanted);
    this.socket.write(`${line}\r\n`);
    return answer;
  }

  private answer(wanted: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.answered = (code) => (code === wanted ? resolve() : reject(new Error(`The mail port said ${code}.`)));
    });
  }
}
