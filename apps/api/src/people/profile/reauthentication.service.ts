import { CredentialsService, SecondFactorsService } from '#libs/access';
import { InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';

interface TypedProof {
  readonly field: string;
  readonly typed: string;
  readonly address: string;
}

export const proofIn = (request: FastifyRequest, field: string): TypedProof => ({
  field,
  typed: new FormFields(request.body).text(field),
  address: request.ip,
});

/** An unlocked screen is not enough to change what protects the account. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly secondFactors: SecondFactorsService,
  ) {}

  /**
   * Attempts are throttled like sign-ins, so that a stolen session cannot guess the password. They count for the session,
   * so that strangers cannot use them up.
   */
  async requirePassword(me: Me, { field, typed, address }: TypedProof): Promise<void> {
    const answer = await this.credentials.authenticate({
      email: me.email,
      password: typed,
      address,
      agentId: me.agentId,
      knownBrowser: () => me.sessionId,
    });
    if (answer.kind === 'throttled') throw tooManyAttempts(field);
    if (answer.kind === 'refused')
      throw new InvalidField(field, 'wrong_password', 'That is not your current password.');
  }

  /** Six digits can only be a code: passwords are longer. */
  async requirePasswordOrCode(me: Me, proof: TypedProof): Promise<void> {
    if (!/^\s*\d{3}\s?\d{3}\s*$/.test(proof.typed)) return this.requirePassword(me, proof);
    const holder = { accountId: me.accountId, agentId: me.agentId, knownBrowser: me.sessionId };
    const { kind } = await this.secondFactors.acceptCode(holder, proof.typed);
    if (kind === 'throttled') throw tooManyAttempts(proof.field);
    if (kind === 'refused')
      throw new InvalidField(proof.field, 'wrong_code', 'This code is wrong, or was used before.');
  }
}

const tooManyAttempts = (field: string) =>
  new InvalidField(field, 'too_many_attempts', 'Too many attempts. Try again in a few minutes.');
