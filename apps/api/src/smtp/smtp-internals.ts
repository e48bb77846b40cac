// Uses undocumented methods of smtp-server, which offers no hook for commands such as NOOP and no way to end a session.
// smtp-internals.spec.ts fails when the installed version lacks them.
// https://github.com/nodemailer/smtp-server/tree/v3.21.6
import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';

/** A session that sends several emails needs two or three of them for each. */
export const COMMANDS_WITHOUT_MAIL = ['NOOP', 'RSET', 'VRFY', 'HELP', 'EHLO', 'HELO', 'MAIL'] as const;

export type SmtpConnection = Pick<SMTPConnection, 'send' | `handler_${(typeof COMMANDS_WITHOUT_MAIL)[number]}`>;

export const connectionOf = (server: SMTPServer, session: SMTPServerSession): SmtpConnection | undefined =>
  [...server.connections].find((connection) => connection.session === session);

/** Skips a command if `isAllowed` returns false. */
export function guardCommands(connection: SmtpConnection, isAllowed: () => boolean): void {
  for (const command of COMMANDS_WITHOUT_MAIL) {
    const name = `handler_${command}` as const;
    const handle = connection[name];
    connection[name] = (line, done) => {
      if (isAllowed()) handle.call(connection, line, done);
    };
  }
}

/** 421 also closes the connection. */
export const endSession = (connection: SmtpConnection, sentence: string): void => connection.send(421, sentence);
