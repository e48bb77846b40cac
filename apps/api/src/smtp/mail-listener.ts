import { readFile } from 'node:fs/promises';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { UncountedAddresses } from '../edge/address-counts.js';
import { MailIntakeService, type MailProtocol } from './mail-intake.service.js';
import { MailServer, type MailServerOptions } from './mail-server.js';
import { SmtpSessions } from './smtp-sessions.js';

@Injectable()
export class MailListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly servers: MailServer[] = [];

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly intake: MailIntakeService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { MAIL_PORT, MAIL_LMTP_PORT } = this.settings;
    if (MAIL_PORT !== 0) await this.listen('smtp', MAIL_PORT);
    if (MAIL_LMTP_PORT !== 0) await this.listen('lmtp', MAIL_LMTP_PORT);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }

  private async listen(protocol: MailProtocol, port: number): Promise<void> {
    const { MAIL_HOST: host, PUBLIC_URL, STALL_TIMEOUT_MS: stallMs, TRUSTED_PROXIES } = this.settings;
    const options = { protocol, name: new URL(PUBLIC_URL).hostname, stallMs, tls: await this.tls() };
    const sessions = new SmtpSessions(new UncountedAddresses(TRUSTED_PROXIES));
    const server = new MailServer(options, this.intake, sessions, this.logger);
    const listening = await server.listen(port, host);
    this.servers.push(server);
    this.logger.info({ host, port: listening, protocol }, 'mail is accepted');
  }

  private async tls(): Promise<MailServerOptions['tls']> {
    const { MAIL_TLS_KEY: key, MAIL_TLS_CERT: cert } = this.settings;
    return key && cert ? { key: await readFile(key), cert: await readFile(cert) } : undefined;
  }
}
