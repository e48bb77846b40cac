import { Injectable } from '@nestjs/common';

/** The deliveries this process is working on: none of them is begun a second time here. */
@Injectable()
export class InHand {
  private readonly held = new Set<string>();

  take(deliveryId: string): boolean {
    if (this.held.has(deliveryId)) return false;
    this.held.add(deliveryId);
    return true;
  }

  putDown(deliveryId: string): void {
    this.held.delete(deliveryId);
  }

  get count(): number {
    return this.held.size;
  }

  ids(): string[] {
    return [...this.held];
  }
}
