import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { RedisRefuses, evictionFault, inspectRedis } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';

/** Says at the start what would be wrong for as long as the worker runs. */
@Injectable()
export class QueueExaminationService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rejects where Redis refuses. One that is away comes back by itself. */
  async examine(): Promise<void> {
    if (this.settings.REDIS_URL === undefined) return;
    try {
      const fault = evictionFault(await inspectRedis(this.settings));
      if (fault) this.logger.error(fault);
    } catch (error) {
      if (error instanceof RedisRefuses) throw error;
    }
  }
}
