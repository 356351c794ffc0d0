import { receiveScans } from '#app/parts/scan/scanner.ts';
import { play } from '#app/parts/scan/sounds.ts';
import { currentUser } from '#app/session.ts';

/** Refuses each scan and says so, as loud as whoever's pages stand behind the sign-in wants it; returns how to stop. */
export function refuseScans(say: () => void): () => void {
  const refuse = () => {
    play('refused', currentUser.get()?.userId ?? '');
    say();
  };
  return receiveScans({ current: { isSignIn: true, take: refuse, refuse } });
}
