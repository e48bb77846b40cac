import { Database, hasPendingMigrations } from '#libs/database';
import { NotFound } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings, isBehindProxy } from '#libs/settings';
import { filesDisk } from '#libs/storage';
import { Metrics, metricsAccess, registerDiskGauges } from '#libs/telemetry';
import { Controller, Get, Header, HttpException, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../layers/edge/caller.js';
import { ApiReadinessService } from './api-readiness.service.js';

@Controller()
@Public()
export class HealthController {
  private migrated = false;
  private readonly disk;

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly readiness: ApiReadinessService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {
    this.disk = filesDisk(settings);
    registerDiskGauges(metrics, this.disk);
  }

  @Get('healthz')
  alive() {
    return { status: 'ok' };
  }

  /**
   * Redis is not checked, because the API works without it. A full disk is reported without failing the check: otherwise
   * all processes would leave the balancer at once, although reads still work.
   */
  @Get('readyz')
  async ready() {
    const { stopping, warming } = this.readiness;
    const [database, migrations] = await Promise.all([this.databaseAnswers(), this.isMigrated()]);
    const checks = { database, migrations, warming, stopping };
    const ready = checks.database && checks.migrations && !warming && !stopping;
    const body = {
      status: ready ? 'ok' : 'not ready',
      checks,
      queue: this.settings.REDIS_URL ? 'redis' : 'postgresql',
      disk: await this.disk?.state().catch(() => 'unknown'),
    };
    if (!ready) throw new HttpException({ error: 'not_ready', detail: `Not ready: ${JSON.stringify(checks)}` }, 503);
    return body;
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  async readMetrics(@Req() { headers, socket }: FastifyRequest): Promise<string> {
    const rule = { token: this.settings.METRICS_TOKEN, behindProxy: isBehindProxy(this.settings) };
    const access = metricsAccess(rule, { headers, address: socket.remoteAddress });
    if (access === 'hidden') throw new NotFound('page');
    if (access === 'unauthorized')
      throw new HttpException(
        { error: 'metrics_token_required', detail: 'Send METRICS_TOKEN as a bearer token.' },
        401,
      );
    return this.metrics.metrics();
  }

  private databaseAnswers(): Promise<boolean> {
    return this.database
      .pool()
      .query('select 1')
      .then(() => true)
      .catch(() => false);
  }

  /** Cached once true: migrations are never reverted under a running API. */
  private async isMigrated(): Promise<boolean> {
    this.migrated ||= await hasPendingMigrations(this.database.dataSource)
      .then((pending) => !pending)
      .catch(() => false);
    return this.migrated;
  }
}
