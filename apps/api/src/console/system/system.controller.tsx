import { Controller, Get } from '@nestjs/common';
import type { PageResponse } from '../../pages/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { AccountTrafficReader } from './account-traffic.reader.js';
import { SystemPage } from './system.page.js';
import { SystemReader } from './system.reader.js';

@Controller('settings/system')
@ConsolePages({ audience: 'owner', navigation: { group: 'Settings', label: 'System', icon: 'pulse' } })
export class ConsoleSystemController {
  constructor(
    private readonly system: SystemReader,
    private readonly traffic: AccountTrafficReader,
  ) {}

  @Get()
  async show(@Me() me: Me): Promise<PageResponse> {
    const [findings, traffic] = await Promise.all([this.system.read(), this.traffic.read(me.accountId)]);
    return { view: <SystemPage findings={findings} traffic={traffic} /> };
  }
}
