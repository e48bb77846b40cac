import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { serverUser } from '../../../apps/launcher/src/system-user.js';
import { type MailServerKind, PASSWORD } from './mail-server.js';

/** The libraries of both come with the first; the second conflicts with it and is unpacked. */
const INSTALLED =
  'dovecot-imapd postfix libclamav12 libical3 libicu72 libjansson4 libldap-2.5-0 libpcre3 libpq5 libwrap0 libxapian30 libzephyr4 libsasl2-modules libsqlite3-0'.split(
    ' ',
  );
const UNPACKED = ['cyrus-imapd', 'cyrus-common'];
const CYRUS = path.resolve('.data/programs/cyrus');
const CYRUS_PROGRAMS = path.join(CYRUS, 'usr/lib/cyrus/bin');
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };
const CYRUS_LIBRARIES = path.join(CYRUS, `usr/lib/${ARCHITECTURES[process.arch]}-linux-gnu`);

/** Packages of Debian 12, as root. Their services are not started. */
export function installMailServers(): void {
  const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Options::=--force-confold'];
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  execFileSync('apt-get', ['install', ...options, ...INSTALLED], { stdio: 'inherit', env: environment });
  const archives = path.join(CYRUS, 'archives');
  fs.mkdirSync(archives, { recursive: true });
  execFileSync('apt-get', ['download', ...UNPACKED], { cwd: archives, stdio: 'inherit' });
  for (const name of fs.readdirSync(archives)) execFileSync('dpkg-deb', ['-x', path.join(archives, name), CYRUS]);
}

export const hasMailServers = (): boolean => fs.existsSync(CYRUS_PROGRAMS);

const idOf = (flag: '-un' | '-gn'): string => {
  const user = serverUser();
  return execFileSync('id', [flag, ...(user ? [String(user.uid)] : [])], { encoding: 'utf8' }).trim();
};

export const DOVECOT: MailServerKind = {
  name: 'dovecot',
  prepare: ({ folder, port }) => ({
    folders: ['mail', 'home', 'run', 'state'],
    files: { 'dovecot.conf': dovecotConfiguration(folder, port) },
    command: ['dovecot', '-F', '-c', path.join(folder, 'dovecot.conf')],
  }),
};

const dovecotConfiguration = (folder: string, port: number): string => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
listen = 127.0.0.1
protocols = imap
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
first_valid_uid = 1
mail_max_userip_connections = 100
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${idOf('-un')} gid=${idOf('-gn')} home=${folder}/home
}
namespace inbox {
  inbox = yes
  separator = /
}
`;

export const CYRUS_SERVER: MailServerKind = {
  name: 'cyrus',
  prepare: ({ folder, port }) => ({
    folders: ['conf/db', 'conf/socket', 'conf/proc', 'conf/lock', 'conf/log', 'conf/msg', 'spool/stage.'],
    files: { 'imapd.conf': cyrusSettings(folder), 'cyrus.conf': cyrusServices(folder, port) },
    command: [
      path.join(CYRUS_PROGRAMS, 'master'),
      '-D',
      '-C',
      `${folder}/imapd.conf`,
      '-M',
      `${folder}/cyrus.conf`,
      '-p',
      `${folder}/pid`,
    ],
    environment: { LD_LIBRARY_PATH: CYRUS_LIBRARIES },
  }),
};

const cyrusSettings = (folder: string): string => `
configdirectory: ${folder}/conf
defaultpartition: default
partition-default: ${folder}/spool
admins: cyrus
cyrus_user: ${idOf('-un')}
cyrus_group: ${idOf('-gn')}
unixhierarchysep: yes
altnamespace: yes
allowplaintext: yes
sasl_pwcheck_method: alwaystrue
sasl_mech_list: PLAIN LOGIN
autocreate_quota: 0
duplicatesuppression: no
maxlogins_per_user: 0
idlesocket: ${folder}/conf/socket/idle
`;

const cyrusServices = (folder: string, port: number): string => {
  const called = (program: string) => `cmd="${path.join(CYRUS_PROGRAMS, program)} -C ${folder}/imapd.conf`;
  return `
START {
  recover ${called('ctl_cyrusdb')} -r"
}
SERVICES {
  imap ${called('imapd')}" listen="127.0.0.1:${port}" prefork=0
}
DAEMON {
  idled ${called('idled')}"
}
`;
};
