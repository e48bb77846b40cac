import { Clock, Database } from '#libs/database';
import {
  type Finding,
  type Installation,
  examineInstallation,
  inspectQueue,
  checkLateness,
  toFinding,
  errorReason,
  red,
} from '#libs/doctor';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { BacklogService } from '#libs/webhooks';
import { Controller, Get, Inject, Injectable, UseGuards } from '@nestjs/common';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import type { PageResponse } from '../../pages/page-response.js';
import { OwnerGuard } from '../people/owner.guard.js';
import { AccountTrafficReader } from './account-traffic.reader.js';
import { SystemPage } from './system.page.js';

/** As the operator's `doctor` looks, without what only the operator may know: how much others have. */
@Injectable()
export class SystemReader implements Installation {
  constructor(
    readonly database: Database,
    readonly backlog: BacklogService,
    readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) readonly settings: Settings,
  ) {}

  async read(): Promise<Finding[]> {
    const queue = await inspectQueue(this.settings);
    try {
      return await examineInstallation(this, queue, checkLateness);
    } catch (error) {
      return [toFinding('database', red(`cannot be asked: ${errorReason(error)}`))];
    }
  }
}

@Controller('settings/system')
@UseGuards(OwnerGuard)
@ConsolePages()
export class ConsoleSystemController {
  constructor(
    private readonly examination: SystemReader,
    private readonly traffic: AccountTrafficReader,
  ) {}

  @Get()
  async show(@Me() me: Me): Promise<PageResponse> {
    const [findings, traffic] = await Promise.all([this.examination.read(), this.traffic.read(me.accountId)]);
    return { view: <SystemPage findings={findings} traffic={traffic} /> };
  }
}
