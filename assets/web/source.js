// Where pictures come from: a camera, a video, a picture. Each has `picture`, `width`, `height`, `isStill`, and says what is wrong in a sentence.

import { Complaint } from "./complaint.js";
import { SILENCE_MS } from "./pieces.js";

const CAMERA = {
  NotAllowedError: "The camera was not allowed; allow it at the browser's address bar and try again.",
  NotFoundError: "There is no camera; plug one in, or open a video or a picture.",
  NotReadableError: "The camera is in use by another program; close that and try again.",
  OverconstrainedError: "The camera gives no picture that the page can take; choose another one.",
};

export async function openCamera() {
  if (!navigator.mediaDevices?.getUserMedia) throw new Complaint("This browser gives pages no camera; open a video or a picture.");
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { width: { ideal: 1280 }, height: { ideal: 720 } } });
  } catch (error) {
    throw new Complaint(CAMERA[error.name] || `The camera does not start (${error.message || error.name}); open a video or a picture.`);
  }
  const end = () => stream.getTracks().forEach((track) => track.stop());
  const video = element();
  video.srcObject = stream;
  try {
    return await playing(video, "The camera", end);
  } catch (error) {
    end();
    throw error;
  }
}

export async function openFile(file) {
  if (file.type.startsWith("image/")) return openPicture(file);
  const video = element();
  video.loop = true;
  const url = URL.createObjectURL(file);
  video.src = url;
  try {
    return await playing(video, file.name, () => URL.revokeObjectURL(url));
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}

async function openPicture(file) {
  try {
    const picture = await createImageBitmap(file, { premultiplyAlpha: "none" });
    return { name: file.name, picture, width: picture.width, height: picture.height, isStill: true, time: 0, close: () => picture.close() };
  } catch {
    throw new Complaint(`${file.name} is not a picture that this browser reads; save it as PNG, JPEG or WebP.`);
  }
}

function element() {
  return Object.assign(document.createElement("video"), { muted: true, playsInline: true });
}

async function playing(video, name, end) {
  await new Promise((resolve, reject) => {
    const refused = () =>
      reject(new Complaint(`${name} cannot be played: this browser does not read such a video; convert it to MP4 (H.264) or WebM.`));
    video.onerror = refused;
    video.onloadeddata = () => (video.videoWidth ? resolve() : refused());
    AbortSignal.timeout(SILENCE_MS).onabort = () => reject(new Complaint(`${name} gives no picture; try again, or open another one.`));
  });
  await video.play();
  return {
    name,
    video,
    picture: video,
    isStill: false,
    isLive: Boolean(video.srcObject),
    get width() {
      return video.videoWidth;
    },
    get height() {
      return video.videoHeight;
    },
    get time() {
      return video.currentTime;
    },
    close() {
      video.pause();
      end();
      video.srcObject = null;
      video.removeAttribute("src");
      video.load();
    },
  };
}
