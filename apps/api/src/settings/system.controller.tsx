import { Controller, Get } from '@nestjs/common';
import type { PageResponse } from '../ui/page-response.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { SystemPage } from './system.page.js';
import { SystemReader } from './system.reader.js';

@Controller('settings/system')
@ConsolePages({ audience: 'owner', navigation: { group: 'Settings', label: 'System', icon: 'pulse' } })
export class SystemController {
  constructor(private readonly reader: SystemReader) {}

  @Get()
  async show(@Me() me: Me): Promise<PageResponse> {
    const [findings, traffic] = await Promise.all([this.reader.findings(), this.reader.traffic(me.accountId)]);
    return { view: <SystemPage findings={findings} traffic={traffic} /> };
  }
}
