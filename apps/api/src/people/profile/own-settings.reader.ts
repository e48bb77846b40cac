import { TimeZonesService } from '#libs/tickets';
import { AgentsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../../shell/form-submission.js';

/** What people set for themselves. */
@Injectable()
export class OwnSettingsReader {
  constructor(
    private readonly timeZones: TimeZonesService,
    private readonly agents: AgentsService,
  ) {}

  async read(me: Me) {
    const [timeZones, { signature, mailReplies }] = await Promise.all([
      this.timeZones.read(me),
      this.agents.read(actingOf(me), me.agentId),
    ]);
    return { timeZones, signature, mailReplies };
  }
}
