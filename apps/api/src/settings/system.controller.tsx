import { Clock, Database, DatabaseClock } from '#libs/database';
import {
  type Finding,
  type Installation,
  checkLateness,
  errorReason,
  examineDisk,
  examineInstallation,
  inspectQueue,
  red,
  toFinding,
} from '#libs/doctor';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { BacklogService } from '#libs/delivery';
import { TrafficService } from '#libs/webhooks';
import { Get, Inject } from '@nestjs/common';
import type { PageResponse } from '../layers/ui/page-response.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { SystemPage } from './system.page.js';

const HOURS_SHOWN = 24;

@ConsolePages('settings/system', 'owner', { group: 'Activity', label: 'System', icon: 'pulse' })
export class SystemController {
  private readonly installation: Installation;

  constructor(
    database: Database,
    backlog: BacklogService,
    @Inject(Clock) clock: DatabaseClock,
    private readonly traffic: TrafficService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {
    this.installation = { database, backlog, clock, settings };
  }

  @Get()
  async show(@Me() me: Me): Promise<PageResponse> {
    const [findings, traffic] = await Promise.all([this.findings(), this.traffic.ofAccount(me.accountId, HOURS_SHOWN)]);
    return { view: <SystemPage findings={findings} traffic={traffic} /> };
  }

  /** Runs the checks of `doctor`, except those that reveal the volume of other accounts. */
  private async findings(): Promise<Finding[]> {
    const queue = await inspectQueue(this.settings);
    try {
      // Only operators may see the folders of the machine.
      const disks = await examineDisk(this.settings, () => 'files and data');
      return [...(await examineInstallation(this.installation, queue, checkLateness)), ...disks];
    } catch (error) {
      return [toFinding('database', red(`cannot be reached: ${errorReason(error)}`))];
    }
  }
}
