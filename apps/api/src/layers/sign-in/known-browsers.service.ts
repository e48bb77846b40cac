import { createHash } from 'node:crypto';
import { randomToken } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignedCookiesService } from '../ui/signed-cookies.service.js';

/** Browsers keep cookies for at most 400 days. */
const LIFE_MS = 400 * 86_400_000;

const MAX_AGENTS = 10;

/** A cookie with a random id and a digest of it with each agent. It outlives the session. */
@Injectable()
export class KnownBrowsersService {
  constructor(private readonly cookies: SignedCookiesService) {}

  /** An email would not do: the owner of any account can have an agent with it. */
  idFor(request: FastifyRequest, agentId: string): string | undefined {
    const { id, agents } = this.read(request);
    return agents.includes(digestOf(id, agentId)) ? id : undefined;
  }

  remember(request: FastifyRequest, agentId: string): string {
    const { id, agents } = this.read(request);
    const latest = [...new Set([digestOf(id, agentId), ...agents])].slice(0, MAX_AGENTS);
    return this.cookies.set('known-browser', { text: [id, ...latest].join(' '), lifeMs: LIFE_MS });
  }

  private read(request: FastifyRequest): { id: string; agents: string[] } {
    const kept = this.cookies.read(request, 'known-browser');
    const [id = randomToken(), ...agents] = kept?.text.split(' ') ?? [];
    return { id, agents };
  }
}

const digestOf = (id: string, agentId: string): string =>
  createHash('sha256').update(`${id} ${agentId}`).digest('base64url').slice(0, 22);
