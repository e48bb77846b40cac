import { ImapServer } from '../../test/support/imap/server.js';

/** An IMAP server in a process of its own, in whose folder nothing happens. It prints its port. */
const server = await ImapServer.start();
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
