import { ImapServer } from '#test/support/imap/server.js';

/** An IMAP server in its own process with an idle folder. It prints its port. */
const server = await ImapServer.start();
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
