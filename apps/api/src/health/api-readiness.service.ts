import { Injectable } from '@nestjs/common';

/** The state of this process that `/readyz` reports. */
@Injectable()
export class ApiReadinessService {
  /** Shutting down. Requests are answered until the proxy stops sending them. */
  stopping = false;

  /** Just started, and not warm yet. Requests are answered, only slower. */
  warming = false;
}
