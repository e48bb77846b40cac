import { Clock, Database } from '#libs/database';
import {
  type Finding,
  type Installation,
  examineDisk,
  examineInstallation,
  inspectQueue,
  checkLateness,
  toFinding,
  errorReason,
  red,
} from '#libs/doctor';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type AccountTraffic, BacklogService, TrafficService } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';

const HOURS_SHOWN = 24;

/** The checks of the operator's `doctor`, without those that tell how much other accounts have. */
@Injectable()
export class SystemReader implements Installation {
  constructor(
    readonly database: Database,
    readonly backlog: BacklogService,
    readonly clock: Clock,
    private readonly accountTraffic: TrafficService,
    @Inject(SETTINGS_TOKEN) readonly settings: Settings,
  ) {}

  async findings(): Promise<Finding[]> {
    const queue = await inspectQueue(this.settings);
    try {
      // Folders of the machine are for operators.
      const disks = await examineDisk(this.settings, () => 'files and data');
      return [...(await examineInstallation(this, queue, checkLateness)), ...disks];
    } catch (error) {
      return [toFinding('database', red(`cannot be asked: ${errorReason(error)}`))];
    }
  }

  traffic(accountId: string): Promise<AccountTraffic> {
    return this.accountTraffic.ofAccount(accountId, HOURS_SHOWN);
  }
}
