import { savedScans } from '#app/parts/scan/savedScans.ts';
import { TAKE_OVER } from '#app/worker/worker.ts';

const MINUTE = 60_000;
const LOOK_FOR_NEWS = 30 * MINUTE;

/**
 * Has the browser keep the client for times without a network, where it may: over https, or on the machine itself. A
 * new version is let in once no scan of this browser waits; pages that are open stay as they are until they are loaded anew.
 */
export async function registerServiceWorker(
  hasWaitingScans: () => Promise<boolean> = () => savedScans.isWaiting(),
): Promise<void> {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  const activateUpdate = async () => {
    if (registration.waiting && !(await hasWaitingScans())) registration.waiting.postMessage(TAKE_OVER);
  };
  setInterval(() => void activateUpdate().catch(() => undefined), MINUTE);
  setInterval(() => void registration.update().catch(() => undefined), LOOK_FOR_NEWS);
  await activateUpdate();
}
