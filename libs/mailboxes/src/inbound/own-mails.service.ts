import type { SenderVerdicts } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { AgentAnswersService } from './agent-answers.service.js';
import { AgentRepliesService } from './agent-replies.service.js';
import type { ArrivalPlace } from './arrival-place.js';
import type { ClaimedArrival } from './arrival.statements.js';
import type { HoldReason } from './hold-policy.js';
import type { IdentifiedMail } from './read-mail.js';
import { type ReturnedMail, ReturnedMailsService } from './returned-mails.service.js';
import { ReturnedTestsService } from '../checks/returned-tests.service.js';

interface Looked {
  readonly returned: ReturnedMail | null;
  readonly place: ArrivalPlace;
  readonly verdicts: SenderVerdicts | null;
}

/** Mails that answer mails of ours and are no customer’s: what servers report, tests that come back, and what agents answer. */
@Injectable()
export class OwnMailsService {
  constructor(
    private readonly reports: ReturnedMailsService,
    private readonly tests: ReturnedTestsService,
    private readonly answers: AgentAnswersService,
    private readonly replies: AgentRepliesService,
  ) {}

  /** The mail of ours that came back, or to which something came where servers report. */
  returnedTo(arrival: ClaimedArrival, mail: IdentifiedMail): Promise<ReturnedMail | null> {
    return this.reports.find(arrival, mail);
  }

  /** How it is taken, or why a person looks at it first. Null for any other mail. */
  async look(
    arrival: ClaimedArrival,
    mail: IdentifiedMail,
    { returned, place, verdicts }: Looked,
  ): Promise<(() => Promise<void>) | HoldReason | null> {
    if (returned !== null && this.reports.isReport(mail)) return () => this.reports.take(arrival, mail, returned);
    const sentAs = await this.tests.find(arrival, mail);
    if (sentAs !== null) return () => this.tests.take(arrival, mail, sentAs);
    const mayAnswer = place.isAgent && !place.isOwn && !arrival.released && arrival.receivedAt === null;
    if (!mayAnswer) return null;
    const answer = await this.answers.judge(arrival, mail, place.mailbox.authservId);
    return typeof answer === 'string' ? answer : () => this.replies.bring({ arrival, mail, answer, verdicts });
  }
}
