import { Injectable } from '@nestjs/common';

/** What this process itself has to say about `/readyz`. */
@Injectable()
export class WorkerReadinessService {
  /** It finishes what it has, and takes nothing more. */
  stopping = false;

  /** Only just started: not everything that an event needs is there yet. */
  warming = false;
}
