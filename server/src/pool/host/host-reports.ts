import type { AuthorizationAnswer, FromHost, ToHost } from '../../host-protocol.js';
import type { Log } from '../../platform/log.js';
import type { HostListener } from '../../sessions/ports.js';

type MessageOf<Type extends FromHost['type']> = Extract<FromHost, { type: Type }>;

/** A message of a host about its session. */
type Report = MessageOf<
  'started' | 'viewers' | 'arrived' | 'activity' | 'standby' | 'handoff' | 'agentUse' | 'authorize'
>;

/** Passes a host's messages about its session to the listener of the session. */
export class HostReports {
  /** Undefined while the host has no session. Then the messages are dropped. */
  listener: HostListener | undefined;

  constructor(
    private readonly log: Pick<Log, 'error'>,
    private readonly send: (message: ToHost) => void,
  ) {}

  take(message: Report): void {
    switch (message.type) {
      case 'started':
        this.listener?.onStarted(message.timings);
        break;
      case 'viewers':
        this.listener?.onViewers(message.count);
        break;
      case 'arrived':
        this.listener?.onArrived(message.userId);
        break;
      case 'activity':
        this.listener?.onActivity();
        break;
      case 'standby':
        this.listener?.onStandby(message.standby);
        break;
      case 'handoff':
        this.listener?.onHandoff(message.state);
        break;
      case 'agentUse':
        this.listener?.onAgentUse(message.use);
        break;
      case 'authorize':
        void this.#authorize(message);
    }
  }

  async #authorize(request: MessageOf<'authorize'>): Promise<void> {
    let answer: AuthorizationAnswer | undefined;
    try {
      answer = await this.listener?.onAuthorize(request);
    } catch (error) {
      this.log.error('could not authorize a viewer', { error });
    }
    answer ??= { granted: false, message: 'The service failed. Try again.' };
    this.send({ type: 'authorized', request: request.request, answer });
  }
}
