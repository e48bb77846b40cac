import { Clock, Database } from '#libs/database';
import {
  type Finding,
  type Ground,
  examineGround,
  inspectQueue,
  judgeLateness,
  named,
  reason,
  red,
} from '#libs/doctor';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Backlog } from '#libs/webhooks';
import { Controller, Get, Inject, Injectable, UseGuards } from '@nestjs/common';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import type { PageAnswer } from '../../pages/page.js';
import { OwnerGuard } from '../people/owner.guard.js';
import { OwnTraffic } from './own-traffic.js';
import { SystemPage } from './system.page.js';

/** As the operator's `doctor` looks, without what only the operator may know: how much others have. */
@Injectable()
export class SystemExamination implements Ground {
  constructor(
    readonly database: Database,
    readonly backlog: Backlog,
    readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) readonly settings: Settings,
  ) {}

  async run(): Promise<Finding[]> {
    const queue = await inspectQueue(this.settings);
    try {
      return await examineGround(this, queue, judgeLateness);
    } catch (error) {
      return [named('database', red(`cannot be asked: ${reason(error)}`))];
    }
  }
}

@Controller('settings/system')
@UseGuards(OwnerGuard)
@DeskPages()
export class SystemPages {
  constructor(
    private readonly examination: SystemExamination,
    private readonly traffic: OwnTraffic,
  ) {}

  @Get()
  async show(@Me() me: Me): Promise<PageAnswer> {
    const [findings, traffic] = await Promise.all([this.examination.run(), this.traffic.of(me.accountId)]);
    return { view: <SystemPage findings={findings} traffic={traffic} /> };
  }
}
