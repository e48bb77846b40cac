import { Injectable } from '@nestjs/common';

/** What this process itself has to say about `/readyz`. */
@Injectable()
export class ApiReadinessService {
  /** Asked to stop. It still answers until the proxy in front has learned of it. */
  stopping = false;

  /** Only just started, and not warm yet. Whoever sends requests nevertheless gets answers, only slower ones. */
  warming = false;
}
