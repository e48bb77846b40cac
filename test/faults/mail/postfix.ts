import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '../../../apps/launcher/src/ports.js';

export interface PostfixRoutes {
  /** The server of the product, which has the mailboxes. */
  readonly mailPort: number;
  /** The server for all other addresses, over LMTP. */
  readonly lmtpPort: number;
}

/** A real Postfix in its own folder: the next hop for outbound mail, and a sender of inbound mail. It needs root. */
export class Postfix {
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly running: ChildProcess,
  ) {}

  static async start(routes: PostfixRoutes): Promise<Postfix> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-postfix-'));
    fs.chmodSync(folder, 0o755);
    const port = await freePort();
    for (const name of ['conf', 'queue', 'data']) fs.mkdirSync(path.join(folder, name));
    fs.writeFileSync(path.join(folder, 'conf/main.cf'), mainSettings(folder, routes));
    fs.writeFileSync(path.join(folder, 'conf/master.cf'), services(port));
    execFileSync('chown', ['postfix', path.join(folder, 'data')]);
    const running = spawn('postfix', ['-c', path.join(folder, 'conf'), 'start-fg'], { stdio: 'ignore' });
    const postfix = new Postfix(port, folder, running);
    // Runs also if the campaign is interrupted.
    process.once('exit', () => postfix.stopNow());
    await eventually(() => postfix.greets(), { withinMs: 60_000 });
    return postfix;
  }

  /** Emails in its queue. */
  waiting(): number {
    return ['incoming', 'active', 'deferred', 'maildrop'].reduce((sum, queue) => sum + this.countIn(queue), 0);
  }

  async stop(): Promise<void> {
    const ended = once(this.running, 'exit');
    this.stopNow();
    await ended;
  }

  private stopNow(): void {
    if (!fs.existsSync(this.folder)) return;
    execFileSync('postfix', ['-c', path.join(this.folder, 'conf'), 'stop'], { stdio: 'ignore' });
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private countIn(queue: string): number {
    const found = fs.readdirSync(path.join(this.folder, 'queue', queue), { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).length;
  }

  private greets(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      socket.once('data', () => resolve(true)).once('error', () => resolve(false));
      socket.once('data', () => socket.end('QUIT\r\n'));
    });
  }
}

/** Retries within seconds instead of minutes, and adds no id to an email without one. */
const mainSettings = (folder: string, { mailPort, lmtpPort }: PostfixRoutes): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = hop.test
mydestination =
local_recipient_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
local_header_rewrite_clients =
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_count_limit = 0
smtp_tls_security_level = none
smtpd_tls_security_level = none
default_transport = lmtp:inet:127.0.0.1:${lmtpPort}
transport_maps = inline:{ acme.test=smtp:[127.0.0.1]:${mailPort} }
message_size_limit = 104857600
header_size_limit = 1048576
mime_nesting_limit = 1000
notify_classes =
in_flow_delay = 0
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 4s
smtp_destination_concurrency_failed_cohort_limit = 0
lmtp_destination_concurrency_failed_cohort_limit = 0
`;

const services = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
