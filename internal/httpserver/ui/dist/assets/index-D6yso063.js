var e=Object.create,t=Object.defineProperty,n=Object.getOwnPropertyDescriptor,r=Object.getOwnPropertyNames,i=Object.getPrototypeOf,a=Object.prototype.hasOwnProperty,o=(e,t)=>()=>(t||(e((t={exports:{}}).exports,t,t.exports),e=null),t.exports),s=(e,i,o,s)=>{if(i&&typeof i==`object`||typeof i==`function`)for(var c=r(i),l=0,u=c.length,d;l<u;l++)d=c[l],!a.call(e,d)&&d!==o&&t(e,d,{get:(e=>i[e]).bind(null,d),enumerable:!(s=n(i,d))||s.enumerable});return e},c=(n,r,o)=>(o=n==null?{}:e(i(n)),s(r||!n||!n.__esModule||!a.call(n,`default`)?t(o,`default`,{value:n,enumerable:!0}):o,n)),l=o((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.portal`),r=Symbol.for(`react.fragment`),i=Symbol.for(`react.strict_mode`),a=Symbol.for(`react.profiler`),o=Symbol.for(`react.consumer`),s=Symbol.for(`react.context`),c=Symbol.for(`react.forward_ref`),l=Symbol.for(`react.suspense`),u=Symbol.for(`react.memo`),d=Symbol.for(`react.lazy`),f=Symbol.for(`react.activity`),p=Symbol.for(`react.view_transition`),m=Symbol.iterator;function h(e){return typeof e!=`object`||!e?null:(e=m&&e[m]||e[`@@iterator`],typeof e==`function`?e:null)}var g={isMounted:function(){return!1},enqueueForceUpdate:function(){},enqueueReplaceState:function(){},enqueueSetState:function(){}},_=Object.assign,v={};function y(e,t,n){this.props=e,this.context=t,this.refs=v,this.updater=n||g}y.prototype.isReactComponent={},y.prototype.setState=function(e,t){if(typeof e!=`object`&&typeof e!=`function`&&e!=null)throw Error(`takes an object of state variables to update or a function which returns an object of state variables.`);this.updater.enqueueSetState(this,e,t,`setState`)},y.prototype.forceUpdate=function(e){this.updater.enqueueForceUpdate(this,e,`forceUpdate`)};function b(){}b.prototype=y.prototype;function x(e,t,n){this.props=e,this.context=t,this.refs=v,this.updater=n||g}var S=x.prototype=new b;S.constructor=x,_(S,y.prototype),S.isPureReactComponent=!0;var C=Array.isArray;function ee(){}var w={H:null,A:null,T:null,S:null},te=Object.prototype.hasOwnProperty;function T(e,n,r){var i=r.ref;return{$$typeof:t,type:e,key:n,ref:i===void 0?null:i,props:r}}function ne(e,t){return T(e.type,t,e.props)}function re(e){return typeof e==`object`&&!!e&&e.$$typeof===t}function ie(e){var t={"=":`=0`,":":`=2`};return`$`+e.replace(/[=:]/g,function(e){return t[e]})}var ae=/\/+/g;function oe(e,t){return typeof e==`object`&&e&&e.key!=null?ie(``+e.key):t.toString(36)}function se(e){switch(e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason;default:switch(typeof e.status==`string`?e.then(ee,ee):(e.status=`pending`,e.then(function(t){e.status===`pending`&&(e.status=`fulfilled`,e.value=t)},function(t){e.status===`pending`&&(e.status=`rejected`,e.reason=t)})),e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason}}throw e}function ce(e,r,i,a,o){var s=typeof e;(s===`undefined`||s===`boolean`)&&(e=null);var c=!1;if(e===null)c=!0;else switch(s){case`bigint`:case`string`:case`number`:c=!0;break;case`object`:switch(e.$$typeof){case t:case n:c=!0;break;case d:return c=e._init,ce(c(e._payload),r,i,a,o)}}if(c)return o=o(e),c=a===``?`.`+oe(e,0):a,C(o)?(i=``,c!=null&&(i=c.replace(ae,`$&/`)+`/`),ce(o,r,i,``,function(e){return e})):o!=null&&(re(o)&&(o=ne(o,i+(o.key==null||e&&e.key===o.key?``:(``+o.key).replace(ae,`$&/`)+`/`)+c)),r.push(o)),1;c=0;var l=a===``?`.`:a+`:`;if(C(e))for(var u=0;u<e.length;u++)a=e[u],s=l+oe(a,u),c+=ce(a,r,i,s,o);else if(u=h(e),typeof u==`function`)for(e=u.call(e),u=0;!(a=e.next()).done;)a=a.value,s=l+oe(a,u++),c+=ce(a,r,i,s,o);else if(s===`object`){if(typeof e.then==`function`)return ce(se(e),r,i,a,o);throw r=String(e),Error(`Objects are not valid as a React child (found: `+(r===`[object Object]`?`object with keys {`+Object.keys(e).join(`, `)+`}`:r)+`). If you meant to render a collection of children, use an array instead.`)}return c}function le(e,t,n){if(e==null)return e;var r=[],i=0;return ce(e,r,``,``,function(e){return t.call(n,e,i++)}),r}function ue(e){if(e._status===-1){var t=e._result,n=t();n.then(function(t){(e._status===0||e._status===-1)&&(e._status=1,e._result=t,n.status===void 0&&(n.status=`fulfilled`,n.value=t))},function(t){(e._status===0||e._status===-1)&&(e._status=2,e._result=t,n.status===void 0&&(n.status=`rejected`,n.reason=t))}),e._status===-1&&(e._status=0,e._result=n)}if(e._status===1)return e._result.default;throw e._result}var de=typeof reportError==`function`?reportError:function(e){if(typeof window==`object`&&typeof window.ErrorEvent==`function`){var t=new window.ErrorEvent(`error`,{bubbles:!0,cancelable:!0,message:typeof e==`object`&&e&&typeof e.message==`string`?String(e.message):String(e),error:e});if(!window.dispatchEvent(t))return}else if(typeof process==`object`&&typeof process.emit==`function`){process.emit(`uncaughtException`,e);return}console.error(e)};function fe(e){var t=w.T,n={};n.types=t===null?null:t.types,w.T=n;try{var r=e(),i=w.S;i!==null&&i(n,r),typeof r==`object`&&r&&typeof r.then==`function`&&r.then(ee,de)}catch(e){de(e)}finally{t!==null&&n.types!==null&&(t.types=n.types),w.T=t}}function pe(e){var t=w.T;if(t!==null){var n=t.types;n===null?t.types=[e]:n.indexOf(e)===-1&&n.push(e)}else fe(pe.bind(null,e))}var me={map:le,forEach:function(e,t,n){le(e,function(){t.apply(this,arguments)},n)},count:function(e){var t=0;return le(e,function(){t++}),t},toArray:function(e){return le(e,function(e){return e})||[]},only:function(e){if(!re(e))throw Error(`React.Children.only expected to receive a single React element child.`);return e}};e.Activity=f,e.Children=me,e.Component=y,e.Fragment=r,e.Profiler=a,e.PureComponent=x,e.StrictMode=i,e.Suspense=l,e.ViewTransition=p,e.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=w,e.__COMPILER_RUNTIME={__proto__:null,c:function(e){return w.H.useMemoCache(e)}},e.addTransitionType=pe,e.cache=function(e){return function(){return e.apply(null,arguments)}},e.cacheSignal=function(){return null},e.cloneElement=function(e,t,n){if(e==null)throw Error(`The argument must be a React element, but you passed `+e+`.`);var r=_({},e.props),i=e.key;if(t!=null)for(a in t.key!==void 0&&(i=``+t.key),t)!te.call(t,a)||a===`key`||a===`__self`||a===`__source`||a===`ref`&&t.ref===void 0||(r[a]=t[a]);var a=arguments.length-2;if(a===1)r.children=n;else if(1<a){for(var o=Array(a),s=0;s<a;s++)o[s]=arguments[s+2];r.children=o}return T(e.type,i,r)},e.createContext=function(e){return e={$$typeof:s,_currentValue:e,_currentValue2:e,_threadCount:0,Provider:null,Consumer:null},e.Provider=e,e.Consumer={$$typeof:o,_context:e},e},e.createElement=function(e,t,n){var r,i={},a=null;if(t!=null)for(r in t.key!==void 0&&(a=``+t.key),t)te.call(t,r)&&r!==`key`&&r!==`__self`&&r!==`__source`&&(i[r]=t[r]);var o=arguments.length-2;if(o===1)i.children=n;else if(1<o){for(var s=Array(o),c=0;c<o;c++)s[c]=arguments[c+2];i.children=s}if(e&&e.defaultProps)for(r in o=e.defaultProps,o)i[r]===void 0&&(i[r]=o[r]);return T(e,a,i)},e.createRef=function(){return{current:null}},e.forwardRef=function(e){return{$$typeof:c,render:e}},e.isValidElement=re,e.lazy=function(e){return{$$typeof:d,_payload:{_status:-1,_result:e},_init:ue}},e.memo=function(e,t){return{$$typeof:u,type:e,compare:t===void 0?null:t}},e.startTransition=fe,e.unstable_useCacheRefresh=function(){return w.H.useCacheRefresh()},e.use=function(e){return w.H.use(e)},e.useActionState=function(e,t,n){return w.H.useActionState(e,t,n)},e.useCallback=function(e,t){return w.H.useCallback(e,t)},e.useContext=function(e){return w.H.useContext(e)},e.useDebugValue=function(){},e.useDeferredValue=function(e,t){return w.H.useDeferredValue(e,t)},e.useEffect=function(e,t){return w.H.useEffect(e,t)},e.useEffectEvent=function(e){return w.H.useEffectEvent(e)},e.useId=function(){return w.H.useId()},e.useImperativeHandle=function(e,t,n){return w.H.useImperativeHandle(e,t,n)},e.useInsertionEffect=function(e,t){return w.H.useInsertionEffect(e,t)},e.useLayoutEffect=function(e,t){return w.H.useLayoutEffect(e,t)},e.useMemo=function(e,t){return w.H.useMemo(e,t)},e.useOptimistic=function(e,t){return w.H.useOptimistic(e,t)},e.useReducer=function(e,t,n){return w.H.useReducer(e,t,n)},e.useRef=function(e){return w.H.useRef(e)},e.useState=function(e){return w.H.useState(e)},e.useSyncExternalStore=function(e,t,n){return w.H.useSyncExternalStore(e,t,n)},e.useTransition=function(){return w.H.useTransition()},e.version=`19.3.1`})),u=o(((e,t)=>{t.exports=l()})),d=o((e=>{function t(e,t){var n=e.length;e.push(t);a:for(;0<n;){var r=n-1>>>1,a=e[r];if(0<i(a,t))e[r]=t,e[n]=a,n=r;else break a}}function n(e){return e.length===0?null:e[0]}function r(e){if(e.length===0)return null;var t=e[0],n=e.pop();if(n!==t){e[0]=n;a:for(var r=0,a=e.length,o=a>>>1;r<o;){var s=2*(r+1)-1,c=e[s],l=s+1,u=e[l];if(0>i(c,n))l<a&&0>i(u,c)?(e[r]=u,e[l]=n,r=l):(e[r]=c,e[s]=n,r=s);else if(l<a&&0>i(u,n))e[r]=u,e[l]=n,r=l;else break a}}return t}function i(e,t){var n=e.sortIndex-t.sortIndex;return n===0?e.id-t.id:n}if(e.unstable_now=void 0,typeof performance==`object`&&typeof performance.now==`function`){var a=performance;e.unstable_now=function(){return a.now()}}else{var o=Date,s=o.now();e.unstable_now=function(){return o.now()-s}}var c=[],l=[],u=1,d=null,f=3,p=!1,m=!1,h=!1,g=!1,_=typeof setTimeout==`function`?setTimeout:null,v=typeof clearTimeout==`function`?clearTimeout:null,y=typeof setImmediate<`u`?setImmediate:null;function b(e){for(var i=n(l);i!==null;){if(i.callback===null)r(l);else if(i.startTime<=e)r(l),i.sortIndex=i.expirationTime,t(c,i);else break;i=n(l)}}function x(e){if(h=!1,b(e),!m){if(n(c)!==null)m=!0,S||(S=!0,ne());else{var t=n(l);t!==null&&ae(x,t.startTime-e)}}}var S=!1,C=-1,ee=5,w=-1;function te(){return g?!0:!(e.unstable_now()-w<ee)}function T(){if(g=!1,S){var t=e.unstable_now();w=t;var i=!0;try{a:{m=!1,h&&(h=!1,v(C),C=-1),p=!0;var a=f;try{b:{for(b(t),d=n(c);d!==null&&!(d.expirationTime>t&&te());){var o=d.callback;if(typeof o==`function`){d.callback=null,f=d.priorityLevel;var s=o(d.expirationTime<=t);if(t=e.unstable_now(),typeof s==`function`){d.callback=s,b(t),i=!0;break b}d===n(c)&&r(c),b(t)}else r(c);d=n(c)}if(d!==null)i=!0;else{var u=n(l);u!==null&&ae(x,u.startTime-t),i=!1}}break a}finally{d=null,f=a,p=!1}i=void 0}}finally{i?ne():S=!1}}}var ne;if(typeof y==`function`)ne=function(){y(T)};else if(typeof MessageChannel<`u`){var re=new MessageChannel,ie=re.port2;re.port1.onmessage=T,ne=function(){ie.postMessage(null)}}else ne=function(){_(T,0)};function ae(t,n){C=_(function(){t(e.unstable_now())},n)}e.unstable_IdlePriority=5,e.unstable_ImmediatePriority=1,e.unstable_LowPriority=4,e.unstable_NormalPriority=3,e.unstable_Profiling=null,e.unstable_UserBlockingPriority=2,e.unstable_cancelCallback=function(e){e.callback=null},e.unstable_forceFrameRate=function(e){0>e||125<e?console.error(`forceFrameRate takes a positive int between 0 and 125, forcing frame rates higher than 125 fps is not supported`):ee=0<e?Math.floor(1e3/e):5},e.unstable_getCurrentPriorityLevel=function(){return f},e.unstable_next=function(e){switch(f){case 1:case 2:case 3:var t=3;break;default:t=f}var n=f;f=t;try{return e()}finally{f=n}},e.unstable_requestPaint=function(){g=!0},e.unstable_runWithPriority=function(e,t){switch(e){case 1:case 2:case 3:case 4:case 5:break;default:e=3}var n=f;f=e;try{return t()}finally{f=n}},e.unstable_scheduleCallback=function(r,i,a){var o=e.unstable_now();switch(typeof a==`object`&&a?(a=a.delay,a=typeof a==`number`&&0<a?o+a:o):a=o,r){case 1:var s=-1;break;case 2:s=250;break;case 5:s=1073741823;break;case 4:s=1e4;break;default:s=5e3}return s=a+s,r={id:u++,callback:i,priorityLevel:r,startTime:a,expirationTime:s,sortIndex:-1},a>o?(r.sortIndex=a,t(l,r),n(c)===null&&r===n(l)&&(h?(v(C),C=-1):h=!0,ae(x,a-o))):(r.sortIndex=s,t(c,r),m||p||(m=!0,S||(S=!0,ne()))),r},e.unstable_shouldYield=te,e.unstable_wrapCallback=function(e){var t=f;return function(){var n=f;f=t;try{return e.apply(this,arguments)}finally{f=n}}}})),f=o(((e,t)=>{t.exports=d()})),p=o((e=>{var t=u();function n(e){var t=`https://react.dev/errors/`+e;if(1<arguments.length){t+=`?args[]=`+encodeURIComponent(arguments[1]);for(var n=2;n<arguments.length;n++)t+=`&args[]=`+encodeURIComponent(arguments[n])}return`Minified React error #`+e+`; visit `+t+` for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`}function r(){}var i={d:{f:r,r:function(){throw Error(n(522))},D:r,C:r,L:r,m:r,X:r,S:r,M:r},p:0,findDOMNode:null},a=Symbol.for(`react.portal`),o=Symbol.for(`react.recoverable`),s=Symbol.for(`react.optimistic_key`);function c(e,t,n){var r=3<arguments.length&&arguments[3]!==void 0?arguments[3]:null;return{$$typeof:a,key:r==null?null:r===s?s:``+r,children:e,containerInfo:t,implementation:n}}var l=t.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;function d(e,t){if(e===`font`)return``;if(typeof t==`string`)return t===`use-credentials`?t:``}e.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=i,e.browser=function(e){return{$$typeof:o,_reason:e}},e.createPortal=function(e,t){var r=2<arguments.length&&arguments[2]!==void 0?arguments[2]:null;if(!t||t.nodeType!==1&&t.nodeType!==9&&t.nodeType!==11)throw Error(n(299));return c(e,t,null,r)},e.flushSync=function(e){var t=l.T,n=i.p;try{if(l.T=null,i.p=2,e)return e()}finally{l.T=t,i.p=n,i.d.f()}},e.preconnect=function(e,t){typeof e==`string`&&(t?(t=t.crossOrigin,t=typeof t==`string`?t===`use-credentials`?t:``:void 0):t=null,i.d.C(e,t))},e.prefetchDNS=function(e){typeof e==`string`&&i.d.D(e)},e.preinit=function(e,t){if(typeof e==`string`&&t&&typeof t.as==`string`){var n=t.as,r=d(n,t.crossOrigin),a=typeof t.integrity==`string`?t.integrity:void 0,o=typeof t.fetchPriority==`string`?t.fetchPriority:void 0;n===`style`?i.d.S(e,typeof t.precedence==`string`?t.precedence:void 0,{crossOrigin:r,integrity:a,fetchPriority:o}):n===`script`&&i.d.X(e,{crossOrigin:r,integrity:a,fetchPriority:o,nonce:typeof t.nonce==`string`?t.nonce:void 0})}},e.preinitModule=function(e,t){if(typeof e==`string`){if(typeof t==`object`&&t){if(t.as==null||t.as===`script`){var n=d(t.as,t.crossOrigin);i.d.M(e,{crossOrigin:n,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0})}}else t??i.d.M(e)}},e.preload=function(e,t){if(typeof e==`string`&&typeof t==`object`&&t&&typeof t.as==`string`){var n=t.as,r=d(n,t.crossOrigin);i.d.L(e,n,{crossOrigin:r,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,type:typeof t.type==`string`?t.type:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0,referrerPolicy:typeof t.referrerPolicy==`string`?t.referrerPolicy:void 0,imageSrcSet:typeof t.imageSrcSet==`string`?t.imageSrcSet:void 0,imageSizes:typeof t.imageSizes==`string`?t.imageSizes:void 0,media:typeof t.media==`string`?t.media:void 0})}},e.preloadModule=function(e,t){if(typeof e==`string`){if(t){var n=d(t.as,t.crossOrigin);i.d.m(e,{as:typeof t.as==`string`&&t.as!==`script`?t.as:void 0,crossOrigin:n,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0})}else i.d.m(e)}},e.requestFormReset=function(e){i.d.r(e)},e.unstable_batchedUpdates=function(e,t){return e(t)},e.useFormState=function(e,t,n){return l.H.useFormState(e,t,n)},e.useFormStatus=function(){return l.H.useHostTransitionStatus()},e.version=`19.3.1`})),m=o(((e,t)=>{function n(){if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`&&typeof __REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE==`function`)try{__REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE(n)}catch(e){console.error(e)}}n(),t.exports=p()})),h=o((e=>{var t=f(),n=u(),r=m();function i(e){var t=`https://react.dev/errors/`+e;if(1<arguments.length){t+=`?args[]=`+encodeURIComponent(arguments[1]);for(var n=2;n<arguments.length;n++)t+=`&args[]=`+encodeURIComponent(arguments[n])}return`Minified React error #`+e+`; visit `+t+` for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`}function a(e){return!(!e||e.nodeType!==1&&e.nodeType!==9&&e.nodeType!==11)}function o(e){for(var t=e,n=t;n&&!n.alternate;)t=n,t.flags&4098&&(e=t.return),n=t.return;for(;t.return;)t=t.return;return t.tag===3?e:null}function s(e){if(e.tag===13){var t=e.memoizedState;if(t===null&&(e=e.alternate,e!==null&&(t=e.memoizedState)),t!==null)return t.dehydrated}return null}function c(e){if(e.tag===31){var t=e.memoizedState;if(t===null&&(e=e.alternate,e!==null&&(t=e.memoizedState)),t!==null)return t.dehydrated}return null}function l(e){if(o(e)!==e)throw Error(i(188))}function d(e){var t=e.alternate;if(!t){if(t=o(e),t===null)throw Error(i(188));return t===e?e:null}for(var n=e,r=t;;){var a=n.return;if(a===null)break;var s=a.alternate;if(s===null){if(r=a.return,r!==null){n=r;continue}break}if(a.child===s.child){for(s=a.child;s;){if(s===n)return l(a),e;if(s===r)return l(a),t;s=s.sibling}throw Error(i(188))}if(n.return!==r.return)n=a,r=s;else{for(var c=!1,u=a.child;u;){if(u===n){c=!0,n=a,r=s;break}if(u===r){c=!0,r=a,n=s;break}u=u.sibling}if(!c){for(u=s.child;u;){if(u===n){c=!0,n=s,r=a;break}if(u===r){c=!0,r=s,n=a;break}u=u.sibling}if(!c)throw Error(i(189))}}if(n.alternate!==r)throw Error(i(190))}if(n.tag!==3)throw Error(i(188));return n.stateNode.current===n?e:t}function p(e){var t=e.tag;if(t===5||t===26||t===27||t===6)return e;for(e=e.child;e!==null;){if(t=p(e),t!==null)return t;e=e.sibling}return null}function h(e,t,n,r,i,a){for(;e!==null;){if((e.tag===5||e.tag===27||e.tag===6)&&n(e,r,i,a)||(e.tag!==22||e.memoizedState===null)&&(t||e.tag!==5&&e.tag!==27)&&h(e.child,t,n,r,i,a))return!0;e=e.sibling}return!1}function g(e){for(e=e.return;e!==null;){if(e.tag===3||e.tag===5||e.tag===27)return e;e=e.return}return null}function _(e){var t=!1;for(e=e.return;e!==null&&(e.tag===4&&(t=!0),e.tag!==3&&e.tag!==5&&e.tag!==27);)e=e.return;return t}function v(e){var t=[null,null],n=g(e);return n===null||y(t,e,n.child,{foundSelf:!1}),t}function y(e,t,n,r){for(;n!==null;){if(n===t)r.foundSelf=!0;else if(n.tag===5||n.tag===27||n.tag===6){if(r.foundSelf)return e[1]=n,!0;e[0]=n}else if((n.tag!==22||n.memoizedState===null)&&y(e,t,n.child,r))return!0;n=n.sibling}return!1}function b(e){switch(e.tag){case 5:case 27:case 6:return e.stateNode;case 3:return e.stateNode.containerInfo;default:throw Error(i(559))}}var x=null,S=null;function C(e,t,n){return e===n||e===t&&(x=e,!0)}function ee(e,t,n){return e===n?(S=e,!1):e===t&&(S!==null&&(x=e),!0)}function w(e){if(e===null)return null;do e=e===null?null:e.return;while(e&&e.tag!==5&&e.tag!==27&&e.tag!==3);return e||null}function te(e,t,n){for(var r=0,i=e;i;i=n(i))r++;i=0;for(var a=t;a;a=n(a))i++;for(;0<r-i;)e=n(e),r--;for(;0<i-r;)t=n(t),i--;for(;r--;){if(e===t||t!==null&&e===t.alternate)return e;e=n(e),t=n(t)}return null}var T=Object.assign,ne=Symbol.for(`react.element`),re=Symbol.for(`react.transitional.element`),ie=Symbol.for(`react.portal`),ae=Symbol.for(`react.fragment`),oe=Symbol.for(`react.strict_mode`),se=Symbol.for(`react.profiler`),ce=Symbol.for(`react.consumer`),le=Symbol.for(`react.context`),ue=Symbol.for(`react.forward_ref`),de=Symbol.for(`react.suspense`),fe=Symbol.for(`react.suspense_list`),pe=Symbol.for(`react.memo`),me=Symbol.for(`react.lazy`),he=Symbol.for(`react.activity`),ge=Symbol.for(`react.legacy_hidden`),_e=Symbol.for(`react.memo_cache_sentinel`),ve=Symbol.for(`react.view_transition`),ye=Symbol.for(`react.recoverable`),be=Symbol.iterator;function xe(e){return typeof e!=`object`||!e?null:(e=be&&e[be]||e[`@@iterator`],typeof e==`function`?e:null)}var Se=Symbol.for(`react.client.reference`);function Ce(e){if(e==null)return null;if(typeof e==`function`)return e.$$typeof===Se?null:e.displayName||e.name||null;if(typeof e==`string`)return e;switch(e){case ae:return`Fragment`;case se:return`Profiler`;case oe:return`StrictMode`;case de:return`Suspense`;case fe:return`SuspenseList`;case he:return`Activity`;case ve:return`ViewTransition`}if(typeof e==`object`)switch(e.$$typeof){case ie:return`Portal`;case le:return e.displayName||`Context`;case ce:return(e._context.displayName||`Context`)+`.Consumer`;case ue:var t=e.render;return e=e.displayName,e||=(e=t.displayName||t.name||``,e===``?`ForwardRef`:`ForwardRef(`+e+`)`),e;case pe:return t=e.displayName||null,t===null?Ce(e.type)||`Memo`:t;case me:t=e._payload,e=e._init;try{return Ce(e(t))}catch{}}return null}var we=Array.isArray,E=n.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,D=r.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,Te={pending:!1,data:null,method:null,action:null},Ee=[],De=-1;function O(e){return{current:e}}function Oe(e){0>De||(e.current=Ee[De],Ee[De]=null,De--)}function k(e,t){De++,Ee[De]=e.current,e.current=t}var ke=O(null),Ae=O(null),je=O(null),Me=O(null);function Ne(e,t){switch(k(je,t),k(Ae,e),k(ke,null),t.nodeType){case 9:case 11:e=(e=t.documentElement)&&(e=e.namespaceURI)?up(e):0;break;default:if(e=t.tagName,t=t.namespaceURI)t=up(t),e=dp(t,e);else switch(e){case`svg`:e=1;break;case`math`:e=2;break;default:e=0}}Oe(ke),k(ke,e)}function Pe(){Oe(ke),Oe(Ae),Oe(je)}function Fe(e){var t=e.memoizedState;t!==null&&(sh._currentValue=t.memoizedState,k(Me,e)),t=ke.current;var n=dp(t,e.type);t!==n&&(k(Ae,e),k(ke,n))}function Ie(e){Ae.current===e&&(Oe(ke),Oe(Ae)),Me.current===e&&(Oe(Me),sh._currentValue=Te)}var Le,Re;function ze(e){if(Le===void 0)try{throw Error()}catch(e){var t=e.stack.trim().match(/\n( *(at )?)/);Le=t&&t[1]||``,Re=-1<e.stack.indexOf(`
    at`)?` (<anonymous>)`:-1<e.stack.indexOf(`@`)?`@unknown:0:0`:``}return`
`+Le+e+Re}var Be=!1;function Ve(e,t){if(!e||Be)return``;Be=!0;var n=Error.prepareStackTrace;Error.prepareStackTrace=void 0;try{var r={DetermineComponentFrameRoot:function(){try{if(t){var n=function(){throw Error()};if(Object.defineProperty(n.prototype,"props",{set:function(){throw Error()}}),typeof Reflect==`object`&&Reflect.construct){try{Reflect.construct(n,[])}catch(e){var r=e}Reflect.construct(e,[],n)}else{try{n.call()}catch(e){r=e}n=!1;try{var i=Object.getOwnPropertyDescriptor(e.prototype,`props`);Object.defineProperty(e.prototype,"props",{configurable:!0,set:function(){throw Error()}}),n=!0,new e}finally{n&&(i===void 0?delete e.prototype.props:Object.defineProperty(e.prototype,"props",i))}}}else{try{throw Error()}catch(e){r=e}(n=e())&&typeof n.catch==`function`&&n.catch(function(){})}}catch(e){if(e&&r&&typeof e.stack==`string`)return[e.stack,r.stack]}return[null,null]}};r.DetermineComponentFrameRoot.displayName=`DetermineComponentFrameRoot`;var i=Object.getOwnPropertyDescriptor(r.DetermineComponentFrameRoot,`name`);i&&i.configurable&&Object.defineProperty(r.DetermineComponentFrameRoot,"name",{value:`DetermineComponentFrameRoot`});var a=r.DetermineComponentFrameRoot(),o=a[0],s=a[1];if(o&&s){var c=o.split(`
`),l=s.split(`
`);for(i=r=0;r<c.length&&!c[r].includes(`DetermineComponentFrameRoot`);)r++;for(;i<l.length&&!l[i].includes(`DetermineComponentFrameRoot`);)i++;if(r===c.length||i===l.length)for(r=c.length-1,i=l.length-1;1<=r&&0<=i&&c[r]!==l[i];)i--;for(;1<=r&&0<=i;r--,i--)if(c[r]!==l[i]){if(r!==1||i!==1)do if(r--,i--,0>i||c[r]!==l[i]){var u=`
`+c[r].replace(` at new `,` at `);return e.displayName&&u.includes(`<anonymous>`)&&(u=u.replace(`<anonymous>`,e.displayName)),u}while(1<=r&&0<=i);break}}}finally{Be=!1,Error.prepareStackTrace=n}return(n=e?e.displayName||e.name:``)?ze(n):``}function He(e,t){switch(e.tag){case 26:case 27:case 5:return ze(e.type);case 16:return ze(`Lazy`);case 13:return e.child!==t&&t!==null?ze(`Suspense Fallback`):ze(`Suspense`);case 19:return ze(`SuspenseList`);case 0:case 15:return Ve(e.type,!1);case 11:return Ve(e.type.render,!1);case 1:return Ve(e.type,!0);case 31:return ze(`Activity`);case 30:return ze(`ViewTransition`);default:return``}}function Ue(e){try{var t=``,n=null;do t+=He(e,n),n=e,e=e.return;while(e);return t}catch(e){return`
Error generating stack: `+e.message+`
`+e.stack}}var We=Object.prototype.hasOwnProperty,Ge=t.unstable_scheduleCallback,Ke=t.unstable_cancelCallback,qe=t.unstable_shouldYield,Je=t.unstable_requestPaint,Ye=t.unstable_now,Xe=t.unstable_getCurrentPriorityLevel,Ze=t.unstable_ImmediatePriority,Qe=t.unstable_UserBlockingPriority,$e=t.unstable_NormalPriority,et=t.unstable_LowPriority,tt=t.unstable_IdlePriority,nt=t.log,rt=t.unstable_setDisableYieldValue,it=null,at=null;function ot(e){if(typeof nt==`function`&&rt(e),at&&typeof at.setStrictMode==`function`)try{at.setStrictMode(it,e)}catch{}}var st=Math.clz32?Math.clz32:ut,ct=Math.log,lt=Math.LN2;function ut(e){return e>>>=0,e===0?32:31-(ct(e)/lt|0)|0}var dt=256,ft=262144,pt=4194304;function mt(e){var t=e&42;if(t!==0)return t;switch(e&-e){case 1:return 1;case 2:return 2;case 4:return 4;case 8:return 8;case 16:return 16;case 32:return 32;case 64:return 64;case 128:return 128;case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:return e&-e;case 262144:case 524288:case 1048576:case 2097152:return e&3932160;case 4194304:case 8388608:case 16777216:case 33554432:return e&62914560;case 67108864:return 67108864;case 134217728:return 134217728;case 268435456:return 268435456;case 536870912:return 536870912;case 1073741824:return 0;default:return e}}function ht(e,t,n){var r=e.pendingLanes;if(r===0)return 0;var i=0,a=e.suspendedLanes,o=e.pingedLanes;e=e.warmLanes;var s=r&134217727;return s===0?(s=r&~a,s===0?o===0?n||(n=r&~e,n!==0&&(i=mt(n))):i=mt(o):i=mt(s)):(r=s&~a,r===0?(o&=s,o===0?n||(n=s&~e,n!==0&&(i=mt(n))):i=mt(o)):i=mt(r)),i===0?0:t!==0&&t!==i&&(t&a)===0&&(a=i&-i,n=t&-t,a>=n||a===32&&n&4194048)?t:i}function gt(e,t){return(e.pendingLanes&~(e.suspendedLanes&~e.pingedLanes)&t)===0}function _t(e,t){t&8&&(t|=t&32);var n=e.entangledLanes;if(n!==0)for(e=e.entanglements,n&=t;0<n;){var r=31-st(n),i=1<<r;t|=e[r],n&=~i}return t}function vt(e,t){switch(e){case 1:case 2:case 4:case 8:case 64:return t+250;case 16:case 32:case 128:case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:case 262144:case 524288:case 1048576:case 2097152:return t+5e3;case 4194304:case 8388608:case 16777216:case 33554432:return-1;case 67108864:case 134217728:case 268435456:case 536870912:case 1073741824:return-1;default:return-1}}function yt(){var e=pt;return pt<<=1,!(pt&62914560)&&(pt=4194304),e}function bt(e){for(var t=[],n=0;31>n;n++)t.push(e);return t}function xt(e,t){e.pendingLanes|=t,t!==268435456&&(e.suspendedLanes=0,e.pingedLanes=0,e.warmLanes=0)}function St(e,t,n,r,i,a){var o=e.pendingLanes;e.pendingLanes=n,e.suspendedLanes=0,e.pingedLanes=0,e.warmLanes=0,e.expiredLanes&=n,e.entangledLanes&=n,e.errorRecoveryDisabledLanes&=n,e.shellSuspendCounter=0;var s=e.entanglements,c=e.expirationTimes,l=e.hiddenUpdates;for(n=o&~n;0<n;){var u=31-st(n),d=1<<u;s[u]=0,c[u]=-1;var f=l[u];if(f!==null)for(l[u]=null,u=0;u<f.length;u++){var p=f[u];p!==null&&(p.lane&=-536870913)}n&=~d}r!==0&&Ct(e,r,0),a!==0&&i===0&&e.tag!==0&&(e.suspendedLanes|=a&~(o&~t))}function Ct(e,t,n){e.pendingLanes|=t,e.suspendedLanes&=~t;var r=31-st(t);e.entangledLanes|=t,e.entanglements[r]=e.entanglements[r]|1073741824|n&261930}function wt(e,t){var n=e.entangledLanes|=t;for(e=e.entanglements;n;){var r=31-st(n),i=1<<r;i&t|e[r]&t&&(e[r]|=t),n&=~i}}function Tt(e,t){var n=t&-t;return n=n&42?1:Et(n),(n&(e.suspendedLanes|t))===0?n:0}function Et(e){switch(e){case 2:e=1;break;case 8:e=4;break;case 32:e=16;break;case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:case 262144:case 524288:case 1048576:case 2097152:case 4194304:case 8388608:case 16777216:case 33554432:e=128;break;case 268435456:e=134217728;break;default:e=0}return e}function Dt(e){return e&=-e,2<e?8<e?e&134217727?32:268435456:8:2}function Ot(){var e=D.p;return e===0?(e=window.event,e===void 0?32:Ch(e.type)):e}function kt(e,t){var n=D.p;try{return D.p=e,t()}finally{D.p=n}}var At=Math.random().toString(36).slice(2),jt=`__reactFiber$`+At,Mt=`__reactProps$`+At,Nt=`__reactContainer$`+At,Pt=`__reactEvents$`+At,Ft=`__reactListeners$`+At,It=`__reactHandles$`+At,Lt=`__reactResources$`+At,Rt=`__reactMarker$`+At,zt=`__reactLoad$`+At;function Bt(e){delete e[jt],delete e[Mt],delete e[Ft],delete e[It]}function Vt(e){var t;if(t=e[jt])return t;for(var n=e.parentNode;n;){if(t=n[Nt]||n[jt]){if(n=t.alternate,t.child!==null||n!==null&&n.child!==null)for(e=fm(e);e!==null;){if(n=e[jt])return n;e=fm(e)}return t}e=n,n=e.parentNode}return null}function Ht(e){if(e=e[jt]||e[Nt]){var t=e.tag;if(t===5||t===6||t===13||t===31||t===26||t===27||t===3)return e}return null}function Ut(e){var t=e.tag;if(t===5||t===26||t===27||t===6)return e.stateNode;throw Error(i(33))}function Wt(e){var t=e[Lt];return t||=e[Lt]={hoistableStyles:new Map,hoistableScripts:new Map},t}function Gt(e){e[Rt]=!0}function Kt(e){e[zt]=void 0}var qt=new Set,Jt={};function Yt(e,t){Xt(e,t),Xt(e+`Capture`,t)}function Xt(e,t){for(Jt[e]=t,e=0;e<t.length;e++)qt.add(t[e])}var Zt=RegExp(`^[:A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD][:A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\-.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040]*$`),Qt={},$t={};function en(e){return We.call($t,e)?!0:We.call(Qt,e)?!1:Zt.test(e)?$t[e]=!0:(Qt[e]=!0,!1)}var A=!1;function tn(){var e=A;return A=!1,e}function nn(e,t,n){if(en(t)){if(n===null)e.removeAttribute(t);else{switch(typeof n){case`undefined`:case`function`:case`symbol`:e.removeAttribute(t);return;case`boolean`:var r=t.toLowerCase().slice(0,5);if(r!==`data-`&&r!==`aria-`){e.removeAttribute(t);return}}e.setAttribute(t,n)}}}function rn(e,t,n){if(n===null)e.removeAttribute(t);else{switch(typeof n){case`undefined`:case`function`:case`symbol`:case`boolean`:e.removeAttribute(t);return}e.setAttribute(t,n)}}function an(e,t,n,r){if(r===null)e.removeAttribute(n);else{switch(typeof r){case`undefined`:case`function`:case`symbol`:case`boolean`:e.removeAttribute(n);return}e.setAttributeNS(t,n,r)}}function on(e){switch(typeof e){case`bigint`:case`boolean`:case`number`:case`string`:case`undefined`:return e;case`object`:return e;default:return``}}function sn(e){var t=e.type;return(e=e.nodeName)&&e.toLowerCase()===`input`&&(t===`checkbox`||t===`radio`)}function cn(e,t,n){var r=Object.getOwnPropertyDescriptor(e.constructor.prototype,t);if(!e.hasOwnProperty(t)&&r!==void 0&&typeof r.get==`function`&&typeof r.set==`function`){var i=r.get,a=r.set;return Object.defineProperty(e,t,{configurable:!0,get:function(){return i.call(this)},set:function(e){n=``+e,a.call(this,e)}}),Object.defineProperty(e,t,{enumerable:r.enumerable}),{getValue:function(){return n},setValue:function(e){n=``+e},stopTracking:function(){e._valueTracker=null,delete e[t]}}}}function ln(e){if(!e._valueTracker){var t=sn(e)?`checked`:`value`;e._valueTracker=cn(e,t,``+e[t])}}function un(e){if(!e)return!1;var t=e._valueTracker;if(!t)return!0;var n=t.getValue(),r=``;return e&&(r=sn(e)?e.checked?`true`:`false`:e.value),e=r,e!==n&&(t.setValue(e),!0)}var dn=/[\n"\\]/g;function fn(e){return e.replace(dn,function(e){return`\\`+e.charCodeAt(0).toString(16)+` `})}function pn(e,t,n,r,i,a,o,s){e.name=``,o!=null&&typeof o!=`function`&&typeof o!=`symbol`&&typeof o!=`boolean`?e.type=o:e.removeAttribute(`type`),t==null?o!==`submit`&&o!==`reset`||e.removeAttribute(`value`):o===`number`?(t===0&&e.value===``||e.value!=t)&&(e.value=``+on(t)):e.value!==``+on(t)&&(e.value=``+on(t)),t==null?n==null?r!=null&&e.removeAttribute(`value`):hn(e,on(n)):o===`number`&&e.value==t?hn(e,on(e.value)):hn(e,on(t)),i==null&&a!=null&&(e.defaultChecked=!!a),i!=null&&(e.checked=i&&typeof i!=`function`&&typeof i!=`symbol`),s!=null&&typeof s!=`function`&&typeof s!=`symbol`&&typeof s!=`boolean`?e.name=``+on(s):e.removeAttribute(`name`)}function mn(e,t,n,r,i,a,o,s){if(a!=null&&typeof a!=`function`&&typeof a!=`symbol`&&typeof a!=`boolean`&&(e.type=a),t!=null||n!=null){if(!(a!==`submit`&&a!==`reset`||t!=null)){ln(e);return}n=n==null?``:``+on(n),t=t==null?n:``+on(t),s||t===e.value||(e.value=t),e.defaultValue=t}r??=i,r=typeof r!=`function`&&typeof r!=`symbol`&&!!r,e.checked=s?e.checked:!!r,e.defaultChecked=!!r,o!=null&&typeof o!=`function`&&typeof o!=`symbol`&&typeof o!=`boolean`&&(e.name=o),ln(e)}function hn(e,t){e.defaultValue!==``+t&&(e.defaultValue=``+t)}function gn(e,t,n,r){if(e=e.options,t){t={};for(var i=0;i<n.length;i++)t[`$`+n[i]]=!0;for(n=0;n<e.length;n++)i=t.hasOwnProperty(`$`+e[n].value),e[n].selected!==i&&(e[n].selected=i),i&&r&&(e[n].defaultSelected=!0)}else{for(n=``+on(n),t=null,i=0;i<e.length;i++){if(e[i].value===n){e[i].selected=!0,r&&(e[i].defaultSelected=!0);return}t!==null||e[i].disabled||(t=e[i])}t!==null&&(t.selected=!0)}}function _n(e,t,n){t!=null&&(t=``+on(t),t!==e.value&&(e.value=t),n==null)?e.defaultValue!==t&&(e.defaultValue=t):e.defaultValue=n==null?``:``+on(n)}function vn(e,t,n,r){if(t==null){if(r!=null){if(n!=null)throw Error(i(92));if(we(r)){if(1<r.length)throw Error(i(93));r=r[0]}n=r}n??=``,t=n}n=on(t),e.defaultValue=n,r=e.textContent,r===n&&r!==``&&r!==null&&(e.value=r),ln(e)}function yn(e,t){if(t){var n=e.firstChild;if(n&&n===e.lastChild&&n.nodeType===3){n.nodeValue=t;return}}e.textContent=t}var bn=new Set(`animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex boxFlexGroup boxOrdinalGroup columnCount columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea gridRow gridRowEnd gridRowSpan gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart fontWeight lineClamp lineHeight opacity order orphans scale tabSize widows zIndex zoom fillOpacity floodOpacity stopOpacity strokeDasharray strokeDashoffset strokeMiterlimit strokeOpacity strokeWidth MozAnimationIterationCount MozBoxFlex MozBoxFlexGroup MozLineClamp msAnimationIterationCount msFlex msZoom msFlexGrow msFlexNegative msFlexOrder msFlexPositive msFlexShrink msGridColumn msGridColumnSpan msGridRow msGridRowSpan WebkitAnimationIterationCount WebkitBoxFlex WebKitBoxFlexGroup WebkitBoxOrdinalGroup WebkitColumnCount WebkitColumns WebkitFlex WebkitFlexGrow WebkitFlexPositive WebkitFlexShrink WebkitLineClamp`.split(` `));function xn(e,t,n){var r=t.indexOf(`--`)===0;n==null||typeof n==`boolean`||n===``?r?e.setProperty(t,``):t===`float`?e.cssFloat=``:e[t]=``:r?e.setProperty(t,n):typeof n!=`number`||n===0||bn.has(t)?t===`float`?e.cssFloat=n:e[t]=(``+n).trim():e[t]=n+`px`}function Sn(e,t,n){if(t!=null&&typeof t!=`object`)throw Error(i(62));if(e=e.style,n!=null){for(var r in n)!n.hasOwnProperty(r)||t!=null&&t.hasOwnProperty(r)||(r.indexOf(`--`)===0?e.setProperty(r,``):r===`float`?e.cssFloat=``:e[r]=``,A=!0);for(var a in t)r=t[a],t.hasOwnProperty(a)&&n[a]!==r&&(xn(e,a,r),A=!0)}else for(var o in t)t.hasOwnProperty(o)&&xn(e,o,t[o])}function Cn(e){if(e.indexOf(`-`)===-1)return!1;switch(e){case`annotation-xml`:case`color-profile`:case`font-face`:case`font-face-src`:case`font-face-uri`:case`font-face-format`:case`font-face-name`:case`missing-glyph`:return!1;default:return!0}}var wn=new Map([[`acceptCharset`,`accept-charset`],[`htmlFor`,`for`],[`httpEquiv`,`http-equiv`],[`crossOrigin`,`crossorigin`],[`accentHeight`,`accent-height`],[`alignmentBaseline`,`alignment-baseline`],[`arabicForm`,`arabic-form`],[`baselineShift`,`baseline-shift`],[`capHeight`,`cap-height`],[`clipPath`,`clip-path`],[`clipRule`,`clip-rule`],[`colorInterpolation`,`color-interpolation`],[`colorInterpolationFilters`,`color-interpolation-filters`],[`colorProfile`,`color-profile`],[`colorRendering`,`color-rendering`],[`dominantBaseline`,`dominant-baseline`],[`enableBackground`,`enable-background`],[`fillOpacity`,`fill-opacity`],[`fillRule`,`fill-rule`],[`floodColor`,`flood-color`],[`floodOpacity`,`flood-opacity`],[`fontFamily`,`font-family`],[`fontSize`,`font-size`],[`fontSizeAdjust`,`font-size-adjust`],[`fontStretch`,`font-stretch`],[`fontStyle`,`font-style`],[`fontVariant`,`font-variant`],[`fontWeight`,`font-weight`],[`glyphName`,`glyph-name`],[`glyphOrientationHorizontal`,`glyph-orientation-horizontal`],[`glyphOrientationVertical`,`glyph-orientation-vertical`],[`horizAdvX`,`horiz-adv-x`],[`horizOriginX`,`horiz-origin-x`],[`imageRendering`,`image-rendering`],[`letterSpacing`,`letter-spacing`],[`lightingColor`,`lighting-color`],[`markerEnd`,`marker-end`],[`markerMid`,`marker-mid`],[`markerStart`,`marker-start`],[`maskType`,`mask-type`],[`overlinePosition`,`overline-position`],[`overlineThickness`,`overline-thickness`],[`paintOrder`,`paint-order`],[`panose-1`,`panose-1`],[`pointerEvents`,`pointer-events`],[`renderingIntent`,`rendering-intent`],[`shapeRendering`,`shape-rendering`],[`stopColor`,`stop-color`],[`stopOpacity`,`stop-opacity`],[`strikethroughPosition`,`strikethrough-position`],[`strikethroughThickness`,`strikethrough-thickness`],[`strokeDasharray`,`stroke-dasharray`],[`strokeDashoffset`,`stroke-dashoffset`],[`strokeLinecap`,`stroke-linecap`],[`strokeLinejoin`,`stroke-linejoin`],[`strokeMiterlimit`,`stroke-miterlimit`],[`strokeOpacity`,`stroke-opacity`],[`strokeWidth`,`stroke-width`],[`textAnchor`,`text-anchor`],[`textDecoration`,`text-decoration`],[`textRendering`,`text-rendering`],[`transformOrigin`,`transform-origin`],[`underlinePosition`,`underline-position`],[`underlineThickness`,`underline-thickness`],[`unicodeBidi`,`unicode-bidi`],[`unicodeRange`,`unicode-range`],[`unitsPerEm`,`units-per-em`],[`vAlphabetic`,`v-alphabetic`],[`vHanging`,`v-hanging`],[`vIdeographic`,`v-ideographic`],[`vMathematical`,`v-mathematical`],[`vectorEffect`,`vector-effect`],[`vertAdvY`,`vert-adv-y`],[`vertOriginX`,`vert-origin-x`],[`vertOriginY`,`vert-origin-y`],[`wordSpacing`,`word-spacing`],[`writingMode`,`writing-mode`],[`xmlnsXlink`,`xmlns:xlink`],[`xHeight`,`x-height`]]),Tn=/^[\u0000-\u001F ]*j[\r\n\t]*a[\r\n\t]*v[\r\n\t]*a[\r\n\t]*s[\r\n\t]*c[\r\n\t]*r[\r\n\t]*i[\r\n\t]*p[\r\n\t]*t[\r\n\t]*:/i;function En(e){return Tn.test(``+e)?`javascript:throw new Error('React has blocked a javascript: URL as a security precaution.')`:e}function Dn(){}var On=null;function kn(e){return e=e.target||e.srcElement||window,e.correspondingUseElement&&(e=e.correspondingUseElement),e.nodeType===3?e.parentNode:e}var An=null,jn=null;function Mn(e){var t=Ht(e);if(t&&(e=t.stateNode)){var n=e[Mt]||null;a:switch(e=t.stateNode,t.type){case`input`:if(pn(e,n.value,n.defaultValue,n.defaultValue,n.checked,n.defaultChecked,n.type,n.name),t=n.name,n.type===`radio`&&t!=null){for(n=e;n.parentNode;)n=n.parentNode;for(n=n.querySelectorAll(`input[name="`+fn(``+t)+`"][type="radio"]`),t=0;t<n.length;t++){var r=n[t];if(r!==e&&r.form===e.form){var a=r[Mt]||null;if(!a)throw Error(i(90));pn(r,a.value,a.defaultValue,a.defaultValue,a.checked,a.defaultChecked,a.type,a.name)}}for(t=0;t<n.length;t++)r=n[t],r.form===e.form&&un(r)}break a;case`textarea`:_n(e,n.value,n.defaultValue);break a;case`select`:t=n.value,t!=null&&gn(e,!!n.multiple,t,!1)}}}var Nn=!1;function Pn(e,t,n){if(Nn)return e(t,n);Nn=!0;try{return e(t)}finally{if(Nn=!1,(An!==null||jn!==null)&&(zd(),An&&(t=An,e=jn,jn=An=null,Mn(t),e)))for(t=0;t<e.length;t++)Mn(e[t])}}function Fn(e,t){var n=e.stateNode;if(n===null)return null;var r=n[Mt]||null;if(r===null)return null;n=r[t];a:switch(t){case`onClick`:case`onClickCapture`:case`onDoubleClick`:case`onDoubleClickCapture`:case`onMouseDown`:case`onMouseDownCapture`:case`onMouseMove`:case`onMouseMoveCapture`:case`onMouseUp`:case`onMouseUpCapture`:case`onMouseEnter`:(r=!r.disabled)||(e=e.type,r=e!==`button`&&e!==`input`&&e!==`select`&&e!==`textarea`),e=!r;break a;default:e=!1}if(e)return null;if(n&&typeof n!=`function`)throw Error(i(231,t,typeof n));return n}var In=typeof window<`u`&&window.document!==void 0&&window.document.createElement!==void 0,j=!1;if(In)try{var Ln={};Object.defineProperty(Ln,"passive",{get:function(){j=!0}}),window.addEventListener(`test`,Ln,Ln),window.removeEventListener(`test`,Ln,Ln)}catch{j=!1}var Rn=null,zn=null,Bn=null;function Vn(){if(Bn)return Bn;var e,t=zn,n=t.length,r,i=`value`in Rn?Rn.value:Rn.textContent,a=i.length;for(e=0;e<n&&t[e]===i[e];e++);var o=n-e;for(r=1;r<=o&&t[n-r]===i[a-r];r++);return Bn=i.slice(e,1<r?1-r:void 0)}function Hn(e){var t=e.keyCode;return`charCode`in e?(e=e.charCode,e===0&&t===13&&(e=13)):e=t,e===10&&(e=13),32<=e||e===13?e:0}function Un(){return!0}function Wn(){return!1}function Gn(e){function t(t,n,r,i,a){for(var o in this._reactName=t,this._targetInst=r,this.type=n,this.nativeEvent=i,this.target=a,this.currentTarget=null,e)e.hasOwnProperty(o)&&(t=e[o],this[o]=t?t(i):i[o]);return this.isDefaultPrevented=(i.defaultPrevented==null?!1===i.returnValue:i.defaultPrevented)?Un:Wn,this.isPropagationStopped=Wn,this}return T(t.prototype,{preventDefault:function(){this.defaultPrevented=!0;var e=this.nativeEvent;e&&(e.preventDefault?e.preventDefault():typeof e.returnValue!=`unknown`&&(e.returnValue=!1),this.isDefaultPrevented=Un)},stopPropagation:function(){var e=this.nativeEvent;e&&(e.stopPropagation?e.stopPropagation():typeof e.cancelBubble!=`unknown`&&(e.cancelBubble=!0),this.isPropagationStopped=Un)},persist:function(){},isPersistent:Un}),t}var Kn={eventPhase:0,bubbles:0,cancelable:0,timeStamp:function(e){return e.timeStamp||Date.now()},defaultPrevented:0,isTrusted:0},qn=Gn(Kn),Jn=T({},Kn,{view:0,detail:0}),Yn=Gn(Jn),Xn,Zn,Qn,$n=T({},Jn,{screenX:0,screenY:0,clientX:0,clientY:0,pageX:0,pageY:0,ctrlKey:0,shiftKey:0,altKey:0,metaKey:0,getModifierState:ur,button:0,buttons:0,relatedTarget:function(e){return e.relatedTarget===void 0?e.fromElement===e.srcElement?e.toElement:e.fromElement:e.relatedTarget},movementX:function(e){return`movementX`in e?e.movementX:(e!==Qn&&(Qn&&e.type===`mousemove`?(Xn=e.screenX-Qn.screenX,Zn=e.screenY-Qn.screenY):Zn=Xn=0,Qn=e),Xn)},movementY:function(e){return`movementY`in e?e.movementY:Zn}}),er=Gn($n),tr=Gn(T({},$n,{dataTransfer:0})),nr=Gn(T({},Jn,{relatedTarget:0})),rr=Gn(T({},Kn,{animationName:0,elapsedTime:0,pseudoElement:0})),ir=Gn(T({},Kn,{clipboardData:function(e){return`clipboardData`in e?e.clipboardData:window.clipboardData}})),ar=Gn(T({},Kn,{data:0})),or={Esc:`Escape`,Spacebar:` `,Left:`ArrowLeft`,Up:`ArrowUp`,Right:`ArrowRight`,Down:`ArrowDown`,Del:`Delete`,Win:`OS`,Menu:`ContextMenu`,Apps:`ContextMenu`,Scroll:`ScrollLock`,MozPrintableKey:`Unidentified`},sr={8:`Backspace`,9:`Tab`,12:`Clear`,13:`Enter`,16:`Shift`,17:`Control`,18:`Alt`,19:`Pause`,20:`CapsLock`,27:`Escape`,32:` `,33:`PageUp`,34:`PageDown`,35:`End`,36:`Home`,37:`ArrowLeft`,38:`ArrowUp`,39:`ArrowRight`,40:`ArrowDown`,45:`Insert`,46:`Delete`,112:`F1`,113:`F2`,114:`F3`,115:`F4`,116:`F5`,117:`F6`,118:`F7`,119:`F8`,120:`F9`,121:`F10`,122:`F11`,123:`F12`,144:`NumLock`,145:`ScrollLock`,224:`Meta`},cr={Alt:`altKey`,Control:`ctrlKey`,Meta:`metaKey`,Shift:`shiftKey`};function lr(e){var t=this.nativeEvent;return t.getModifierState?t.getModifierState(e):(e=cr[e])?!!t[e]:!1}function ur(){return lr}var dr=Gn(T({},Jn,{key:function(e){if(e.key){var t=or[e.key]||e.key;if(t!==`Unidentified`)return t}return e.type===`keypress`?(e=Hn(e),e===13?`Enter`:String.fromCharCode(e)):e.type===`keydown`||e.type===`keyup`?sr[e.keyCode]||`Unidentified`:``},code:0,location:0,ctrlKey:0,shiftKey:0,altKey:0,metaKey:0,repeat:0,locale:0,getModifierState:ur,charCode:function(e){return e.type===`keypress`?Hn(e):0},keyCode:function(e){return e.type===`keydown`||e.type===`keyup`?e.keyCode:0},which:function(e){return e.type===`keypress`?Hn(e):e.type===`keydown`||e.type===`keyup`?e.keyCode:0}})),fr=Gn(T({},$n,{pointerId:0,width:0,height:0,pressure:0,tangentialPressure:0,tiltX:0,tiltY:0,twist:0,pointerType:0,isPrimary:0})),pr=Gn(T({},Kn,{submitter:0})),mr=Gn(T({},Jn,{touches:0,targetTouches:0,changedTouches:0,altKey:0,metaKey:0,ctrlKey:0,shiftKey:0,getModifierState:ur})),hr=Gn(T({},Kn,{propertyName:0,elapsedTime:0,pseudoElement:0})),gr=Gn(T({},$n,{deltaX:function(e){return`deltaX`in e?e.deltaX:`wheelDeltaX`in e?-e.wheelDeltaX:0},deltaY:function(e){return`deltaY`in e?e.deltaY:`wheelDeltaY`in e?-e.wheelDeltaY:`wheelDelta`in e?-e.wheelDelta:0},deltaZ:0,deltaMode:0})),_r=Gn(T({},Kn,{newState:0,oldState:0,source:0})),vr=[9,13,27,32],yr=In&&`CompositionEvent`in window,br=null;In&&`documentMode`in document&&(br=document.documentMode);var xr=In&&`TextEvent`in window&&!br,Sr=In&&(!yr||br&&8<br&&11>=br),Cr=` `,wr=!1;function Tr(e,t){switch(e){case`keyup`:return vr.indexOf(t.keyCode)!==-1;case`keydown`:return t.keyCode!==229;case`keypress`:case`mousedown`:case`focusout`:return!0;default:return!1}}function Er(e){return e=e.detail,typeof e==`object`&&`data`in e?e.data:null}var Dr=!1;function Or(e,t){switch(e){case`compositionend`:return Er(t);case`keypress`:return t.which===32?(wr=!0,Cr):null;case`textInput`:return e=t.data,e===Cr&&wr?null:e;default:return null}}function kr(e,t){if(Dr)return e===`compositionend`||!yr&&Tr(e,t)?(e=Vn(),Bn=zn=Rn=null,Dr=!1,e):null;switch(e){case`paste`:return null;case`keypress`:if(!(t.ctrlKey||t.altKey||t.metaKey)||t.ctrlKey&&t.altKey){if(t.char&&1<t.char.length)return t.char;if(t.which)return String.fromCharCode(t.which)}return null;case`compositionend`:return Sr&&t.locale!==`ko`?null:t.data;default:return null}}var Ar={color:!0,date:!0,datetime:!0,"datetime-local":!0,email:!0,month:!0,number:!0,password:!0,range:!0,search:!0,tel:!0,text:!0,time:!0,url:!0,week:!0};function jr(e){var t=e&&e.nodeName&&e.nodeName.toLowerCase();return t===`input`?!!Ar[e.type]:t===`textarea`}function Mr(e,t,n,r){An?jn?jn.push(r):jn=[r]:An=r,t=Jf(t,`onChange`),0<t.length&&(n=new qn(`onChange`,`change`,null,n,r),e.push({event:n,listeners:t}))}var Nr=null,Pr=null;function Fr(e){Vf(e,0)}function Ir(e){if(un(Ut(e)))return e}function Lr(e,t){if(e===`change`)return t}var Rr=!1;if(In){var zr;if(In){var Br=`oninput`in document;if(!Br){var Vr=document.createElement(`div`);Vr.setAttribute(`oninput`,`return;`),Br=typeof Vr.oninput==`function`}zr=Br}else zr=!1;Rr=zr&&(!document.documentMode||9<document.documentMode)}function Hr(){Nr&&(Nr.detachEvent(`onpropertychange`,Ur),Pr=Nr=null)}function Ur(e){if(e.propertyName===`value`&&Ir(Pr)){var t=[];Mr(t,Pr,e,kn(e)),Pn(Fr,t)}}function Wr(e,t,n){e===`focusin`?(Hr(),Nr=t,Pr=n,Nr.attachEvent(`onpropertychange`,Ur)):e===`focusout`&&Hr()}function Gr(e){if(e===`selectionchange`||e===`keyup`||e===`keydown`)return Ir(Pr)}function Kr(e,t){if(e===`click`)return Ir(t)}function qr(e,t){if(e===`input`||e===`change`)return Ir(t)}function Jr(e,t){return e===t&&(e!==0||1/e==1/t)||e!==e&&t!==t}var Yr=typeof Object.is==`function`?Object.is:Jr;function Xr(e,t){if(Yr(e,t))return!0;if(typeof e!=`object`||!e||typeof t!=`object`||!t)return!1;var n=Object.keys(e),r=Object.keys(t);if(n.length!==r.length)return!1;for(r=0;r<n.length;r++){var i=n[r];if(!We.call(t,i)||!Yr(e[i],t[i]))return!1}return!0}function Zr(e){if(e||=typeof document<`u`?document:void 0,e===void 0)return null;try{return e.activeElement||e.body}catch{return e.body}}function Qr(e){for(;e&&e.firstChild;)e=e.firstChild;return e}function $r(e,t){var n=Qr(e);e=0;for(var r;n;){if(n.nodeType===3){if(r=e+n.textContent.length,e<=t&&r>=t)return{node:n,offset:t-e};e=r}a:{for(;n;){if(n.nextSibling){n=n.nextSibling;break a}n=n.parentNode}n=void 0}n=Qr(n)}}function ei(e,t){return e&&t?e===t?!0:e&&e.nodeType===3?!1:t&&t.nodeType===3?ei(e,t.parentNode):`contains`in e?e.contains(t):e.compareDocumentPosition?!!(e.compareDocumentPosition(t)&16):!1:!1}function ti(e){e=e!=null&&e.ownerDocument!=null&&e.ownerDocument.defaultView!=null?e.ownerDocument.defaultView:window;for(var t=Zr(e.document);t instanceof e.HTMLIFrameElement;){try{var n=typeof t.contentWindow.location.href==`string`}catch{n=!1}if(n)e=t.contentWindow;else break;t=Zr(e.document)}return t}function ni(e){var t=e&&e.nodeName&&e.nodeName.toLowerCase();return t&&(t===`input`&&(e.type===`text`||e.type===`search`||e.type===`tel`||e.type===`url`||e.type===`password`)||t===`textarea`||e.contentEditable===`true`)}var ri=In&&`documentMode`in document&&11>=document.documentMode,ii=null,ai=null,oi=null,M=!1;function si(e,t,n){var r=n.window===n?n.document:n.nodeType===9?n:n.ownerDocument;M||ii==null||ii!==Zr(r)||(r=ii,`selectionStart`in r&&ni(r)?r={start:r.selectionStart,end:r.selectionEnd}:(r=(r.ownerDocument&&r.ownerDocument.defaultView||window).getSelection(),r={anchorNode:r.anchorNode,anchorOffset:r.anchorOffset,focusNode:r.focusNode,focusOffset:r.focusOffset}),oi&&Xr(oi,r)||(oi=r,r=Jf(ai,`onSelect`),0<r.length&&(t=new qn(`onSelect`,`select`,null,t,n),e.push({event:t,listeners:r}),t.target=ii)))}function ci(e,t){var n={};return n[e.toLowerCase()]=t.toLowerCase(),n[`Webkit`+e]=`webkit`+t,n[`Moz`+e]=`moz`+t,n}var li={animationend:ci(`Animation`,`AnimationEnd`),animationiteration:ci(`Animation`,`AnimationIteration`),animationstart:ci(`Animation`,`AnimationStart`),transitionrun:ci(`Transition`,`TransitionRun`),transitionstart:ci(`Transition`,`TransitionStart`),transitioncancel:ci(`Transition`,`TransitionCancel`),transitionend:ci(`Transition`,`TransitionEnd`)},ui={},di={};In&&(di=document.createElement(`div`).style,`AnimationEvent`in window||(delete li.animationend.animation,delete li.animationiteration.animation,delete li.animationstart.animation),`TransitionEvent`in window||delete li.transitionend.transition);function fi(e){if(ui[e])return ui[e];if(!li[e])return e;var t=li[e],n;for(n in t)if(t.hasOwnProperty(n)&&n in di)return ui[e]=t[n];return e}var pi=fi(`animationend`),mi=fi(`animationiteration`),hi=fi(`animationstart`),gi=fi(`transitionrun`),_i=fi(`transitionstart`),vi=fi(`transitioncancel`),yi=fi(`transitionend`),bi=new Map,xi=`abort auxClick beforeToggle cancel canPlay canPlayThrough click close contextMenu copy cut drag dragEnd dragEnter dragExit dragLeave dragOver dragStart drop durationChange emptied encrypted ended error fullscreenChange fullscreenError gotPointerCapture input invalid keyDown keyPress keyUp load loadedData loadedMetadata loadStart lostPointerCapture mouseDown mouseMove mouseOut mouseOver mouseUp paste pause play playing pointerCancel pointerDown pointerMove pointerOut pointerOver pointerUp progress rateChange reset resize seeked seeking stalled submit suspend timeUpdate touchCancel touchEnd touchStart volumeChange scroll toggle touchMove waiting wheel`.split(` `);xi.push(`scrollEnd`);function Si(e,t){bi.set(e,t),Yt(t,[e])}var Ci=0;function wi(e,t){if(e.name!=null&&e.name!==`auto`)return e.name;if(t.autoName!==null)return t.autoName;e=bd.identifierPrefix;var n=Ci++;return e=`_`+e+`t_`+n.toString(32)+`_`,t.autoName=e}function Ti(e){if(e==null||typeof e==`string`)return e;var t=null,n=Od;if(n!==null)for(var r=0;r<n.length;r++){var i=e[n[r]];if(i!=null){if(i===`none`)return`none`;t=t==null?i:t+(` `+i)}}return t??e.default}function Ei(e,t){return e=Ti(e),t=Ti(t),t==null?e===`auto`?null:e:t===`auto`?null:t}var Di=typeof reportError==`function`?reportError:function(e){if(typeof window==`object`&&typeof window.ErrorEvent==`function`){var t=new window.ErrorEvent(`error`,{bubbles:!0,cancelable:!0,message:typeof e==`object`&&e&&typeof e.message==`string`?String(e.message):String(e),error:e});if(!window.dispatchEvent(t))return}else if(typeof process==`object`&&typeof process.emit==`function`){process.emit(`uncaughtException`,e);return}console.error(e)},Oi=[],ki=0,Ai=0;function ji(){for(var e=ki,t=Ai=ki=0;t<e;){var n=Oi[t];Oi[t++]=null;var r=Oi[t];Oi[t++]=null;var i=Oi[t];Oi[t++]=null;var a=Oi[t];if(Oi[t++]=null,r!==null&&i!==null){var o=r.pending;o===null?i.next=i:(i.next=o.next,o.next=i),r.pending=i}a!==0&&Fi(n,i,a)}}function Mi(e,t,n,r){Oi[ki++]=e,Oi[ki++]=t,Oi[ki++]=n,Oi[ki++]=r,Ai|=r,e.lanes|=r,e=e.alternate,e!==null&&(e.lanes|=r)}function Ni(e,t,n,r){return Mi(e,t,n,r),Ii(e)}function Pi(e,t){return Mi(e,null,null,t),Ii(e)}function Fi(e,t,n){e.lanes|=n;var r=e.alternate;r!==null&&(r.lanes|=n);for(var i=!1,a=e.return;a!==null;)a.childLanes|=n,r=a.alternate,r!==null&&(r.childLanes|=n),a.tag===22&&(e=a.stateNode,e===null||e._visibility&1||(i=!0)),e=a,a=a.return;return e.tag===3?(a=e.stateNode,i&&t!==null&&(i=31-st(n),e=a.hiddenUpdates,r=e[i],r===null?e[i]=[t]:r.push(t),t.lane=n|536870912),a):null}function Ii(e){if(50<kd)throw kd=0,Ad=null,Error(i(185));for(var t=e.return;t!==null;)e=t,t=e.return;return e.tag===3?e.stateNode:null}var Li={};function Ri(e,t,n,r){this.tag=e,this.key=n,this.sibling=this.child=this.return=this.stateNode=this.type=this.elementType=null,this.index=0,this.refCleanup=this.ref=null,this.pendingProps=t,this.dependencies=this.memoizedState=this.updateQueue=this.memoizedProps=null,this.mode=r,this.subtreeFlags=this.flags=0,this.deletions=null,this.childLanes=this.lanes=0,this.alternate=null}function zi(e,t,n,r){return new Ri(e,t,n,r)}function Bi(e){return e=e.prototype,!(!e||!e.isReactComponent)}function Vi(e,t){var n=e.alternate;return n===null?(n=zi(e.tag,t,e.key,e.mode),n.elementType=e.elementType,n.type=e.type,n.stateNode=e.stateNode,n.alternate=e,e.alternate=n):(n.pendingProps=t,n.type=e.type,n.flags=0,n.subtreeFlags=0,n.deletions=null),n.flags=e.flags&1206910976,n.childLanes=e.childLanes,n.lanes=e.lanes,n.child=e.child,n.memoizedProps=e.memoizedProps,n.memoizedState=e.memoizedState,n.updateQueue=e.updateQueue,t=e.dependencies,n.dependencies=t===null?null:{lanes:t.lanes,firstContext:t.firstContext},n.sibling=e.sibling,n.index=e.index,n.ref=e.ref,n.refCleanup=e.refCleanup,n}function Hi(e,t){e.flags&=1206910978;var n=e.alternate;return n===null?(e.childLanes=0,e.lanes=t,e.child=null,e.subtreeFlags=0,e.memoizedProps=null,e.memoizedState=null,e.updateQueue=null,e.dependencies=null,e.stateNode=null):(e.childLanes=n.childLanes,e.lanes=n.lanes,e.child=n.child,e.subtreeFlags=0,e.deletions=null,e.memoizedProps=n.memoizedProps,e.memoizedState=n.memoizedState,e.updateQueue=n.updateQueue,e.type=n.type,t=n.dependencies,e.dependencies=t===null?null:{lanes:t.lanes,firstContext:t.firstContext}),e}function Ui(e,t,n,r,a,o){var s=0;if(r=e,typeof r==`function`)Bi(r)&&(s=1);else if(typeof r==`string`)s=qm(e,n,ke.current)?26:e===`html`||e===`head`||e===`body`?27:5;else a:switch(r){case he:return e=zi(31,n,t,a),e.elementType=he,e.lanes=o,e;case ae:return Wi(n.children,a,o,t);case oe:s=8,a|=24;break;case se:return e=zi(12,n,t,a|2),e.elementType=se,e.lanes=o,e;case de:return e=zi(13,n,t,a),e.elementType=de,e.lanes=o,e;case fe:return e=zi(19,n,t,a),e.elementType=fe,e.lanes=o,e;case ge:case ve:return e=a|32,e=zi(30,n,t,e),e.elementType=ve,e.lanes=o,e.stateNode={autoName:null,paired:null,clones:null,ref:null},e;default:if(typeof r==`object`&&r)switch(r.$$typeof){case le:s=10;break a;case ce:s=9;break a;case ue:s=11;break a;case pe:s=14;break a;case me:s=16,r=null;break a}s=29,n=Error(i(130,e===null?`null`:typeof e,``)),r=null}return t=zi(s,n,t,a),t.elementType=e,t.type=r,t.lanes=o,t}function Wi(e,t,n,r){return e=zi(7,e,r,t),e.lanes=n,e}function Gi(e,t,n){return e=zi(6,e,null,t),e.lanes=n,e}function Ki(e){var t=zi(18,null,null,0);return t.stateNode=e,t}function qi(e,t,n){return t=zi(4,e.children===null?[]:e.children,e.key,t),t.lanes=n,t.stateNode={containerInfo:e.containerInfo,pendingChildren:null,implementation:e.implementation},t}var Ji=new WeakMap;function Yi(e,t){if(typeof e==`object`&&e){var n=Ji.get(e);return n===void 0?(t={value:e,source:t,stack:Ue(t)},Ji.set(e,t),t):n}return{value:e,source:t,stack:Ue(t)}}var Xi=[],Zi=0,Qi=null,N=0,P=[],F=0,$i=null,ea=1,ta=``;function na(e,t){Xi[Zi++]=N,Xi[Zi++]=Qi,Qi=e,N=t}function ra(e,t,n){P[F++]=ea,P[F++]=ta,P[F++]=$i,$i=e;var r=ea;e=ta;var i=32-st(r)-1;r&=~(1<<i),n+=1;var a=32-st(t)+i;if(30<a){var o=i-i%5;a=(r&(1<<o)-1).toString(32),r>>=o,i-=o,ea=1<<32-st(t)+i|n<<i|r,ta=a+e}else ea=1<<a|n<<i|r,ta=e}function ia(e){e.return!==null&&(na(e,1),ra(e,1,0))}function aa(e){for(;e===Qi;)Qi=Xi[--Zi],Xi[Zi]=null,N=Xi[--Zi],Xi[Zi]=null;for(;e===$i;)$i=P[--F],P[F]=null,ta=P[--F],P[F]=null,ea=P[--F],P[F]=null}function oa(e,t){P[F++]=ea,P[F++]=ta,P[F++]=$i,ea=t.id,ta=t.overflow,$i=e}var sa=null,I=null,L=!1,R=null,ca=!1,la=Error(i(519));function ua(e){throw ga(Yi(Error(i(418,1<arguments.length&&arguments[1]!==void 0&&arguments[1]?`text`:`HTML`,``)),e)),la}function da(e){var t=e.stateNode,n=e.type,r=e.memoizedProps;switch(t[jt]=e,t[Mt]=r,n){case`dialog`:Q(`cancel`,t),Q(`close`,t);break;case`iframe`:case`object`:case`embed`:Q(`load`,t);break;case`video`:case`audio`:for(n=0;n<zf.length;n++)Q(zf[n],t);break;case`source`:Q(`error`,t);break;case`img`:case`image`:case`link`:Q(`error`,t),Q(`load`,t);break;case`details`:Q(`toggle`,t);break;case`input`:Q(`invalid`,t),mn(t,r.value,r.defaultValue,r.checked,r.defaultChecked,r.type,r.name,!0);break;case`select`:Q(`invalid`,t);break;case`textarea`:Q(`invalid`,t),vn(t,r.value,r.defaultValue,r.children)}n=r.children,typeof n!=`string`&&typeof n!=`number`&&typeof n!=`bigint`||t.textContent===``+n||!0===r.suppressHydrationWarning||ep(t.textContent,n)?(r.popover!=null&&(Q(`beforetoggle`,t),Q(`toggle`,t)),r.onScroll!=null&&Q(`scroll`,t),r.onScrollEnd!=null&&Q(`scrollend`,t),r.onClick!=null&&(t.onclick=Dn),t=!0):t=!1,t||ua(e,!0)}function fa(e){for(sa=e.return;sa;)switch(sa.tag){case 5:case 31:case 13:ca=!1;return;case 27:case 3:ca=!0;return;default:sa=sa.return}}function pa(e){if(e!==sa)return!1;if(!L)return fa(e),L=!0,!1;var t=e.tag,n;if((n=t!==3&&t!==27)&&((n=t===5)&&(n=e.type,n=n===`form`||n===`button`||pp(e.type,e.memoizedProps)),n=!n),n&&I&&ua(e),fa(e),t===13){if(e=e.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(i(317));I=dm(e)}else if(t===31){if(e=e.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(i(317));I=dm(e)}else t===27?(t=I,Sp(e.type)?(e=um,um=null,I=e):I=t):I=sa?lm(e.stateNode.nextSibling):null;return!0}function ma(){I=sa=null,L=!1}function ha(){var e=R;return e!==null&&(fd===null?fd=e:fd.push.apply(fd,e),R=null),e}function ga(e){R===null?R=[e]:R.push(e)}var _a=O(null),va=null,ya=null;function ba(e,t,n){k(_a,t._currentValue),t._currentValue=n}function xa(e){e._currentValue=_a.current,Oe(_a)}function Sa(e,t,n){for(;e!==null;){var r=e.alternate;if((e.childLanes&t)===t?r!==null&&(r.childLanes&t)!==t&&(r.childLanes|=t):(e.childLanes|=t,r!==null&&(r.childLanes|=t)),e===n)break;e=e.return}}function Ca(e,t,n,r){var a=e.child;for(a!==null&&(a.return=e);a!==null;){var o=a.dependencies;if(o!==null){var s=a.child;o=o.firstContext;a:for(;o!==null;){var c=o;o=a;for(var l=0;l<t.length;l++)if(c.context===t[l]){o.lanes|=n,c=o.alternate,c!==null&&(c.lanes|=n),Sa(o.return,n,e),r||(s=null);break a}o=c.next}}else if(a.tag===18){if(s=a.return,s===null)throw Error(i(341));s.lanes|=n,o=s.alternate,o!==null&&(o.lanes|=n),Sa(s,n,e),s=null}else a.tag===13&&a.memoizedState!==null&&a.memoizedState.dehydrated===null?(a.lanes|=n,s=a.alternate,s!==null&&(s.lanes|=n),Sa(a.return,n,e),s=a.child,s=s===null?null:s.sibling):s=a.child;if(s!==null)s.return=a;else for(s=a;s!==null;){if(s===e){s=null;break}if(a=s.sibling,a!==null){a.return=s.return,s=a;break}s=s.return}a=s}}function wa(e,t,n,r){e=null;for(var a=t,o=!1;a!==null;){if(!o){if(a.flags&524288)o=!0;else if(a.flags&262144)break}if(a.tag===10){var s=a.alternate;if(s===null)throw Error(i(387));if(s=s.memoizedProps,s!==null){var c=a.type;Yr(a.pendingProps.value,s.value)||(e===null?e=[c]:e.push(c))}}else if(a===Me.current){if(s=a.alternate,s===null)throw Error(i(387));s.memoizedState.memoizedState!==a.memoizedState.memoizedState&&(e===null?e=[sh]:e.push(sh))}a=a.return}return e!==null&&Ca(t,e,n,r),t.flags|=262144,e!==null}function Ta(e){for(e=e.firstContext;e!==null;){if(!Yr(e.context._currentValue,e.memoizedValue))return!0;e=e.next}return!1}function Ea(e){va=e,ya=null,e=e.dependencies,e!==null&&(e.firstContext=null)}function Da(e){return ka(va,e)}function Oa(e,t){return va===null&&Ea(e),ka(e,t)}function ka(e,t){var n=t._currentValue;if(t={context:t,memoizedValue:n,next:null},ya===null){if(e===null)throw Error(i(308));ya=t,e.dependencies={lanes:0,firstContext:t},e.flags|=524288}else ya=ya.next=t;return n}var Aa=typeof AbortController<`u`?AbortController:function(){var e=[],t=this.signal={aborted:!1,addEventListener:function(t,n){e.push(n)}};this.abort=function(){t.aborted=!0,e.forEach(function(e){return e()})}},ja=t.unstable_scheduleCallback,Ma=t.unstable_NormalPriority,Na={$$typeof:le,Consumer:null,Provider:null,_currentValue:null,_currentValue2:null,_threadCount:0};function Pa(){return{controller:new Aa,data:new Map,refCount:0}}function Fa(e){e.refCount--,e.refCount===0&&ja(Ma,function(){e.controller.abort()})}function Ia(e,t){if(e.pendingLanes&4194048){var n=e.transitionTypes;for(n===null&&(n=e.transitionTypes=[]),e=0;e<t.length;e++){var r=t[e];n.indexOf(r)===-1&&n.push(r)}}}var La=null;function Ra(e){var t=e.transitionTypes;return e.transitionTypes=null,t}var za=null,Ba=0,Va=0,Ha=null;function Ua(e,t){if(za===null){var n=za=[];Ba=0,Va=Pf(),Ha={status:`pending`,value:void 0,then:function(e){n.push(e)}}}return Ba++,t.then(Wa,Wa),t}function Wa(){if(--Ba===0&&(La=null,za!==null)){Ha!==null&&(Ha.status=`fulfilled`);var e=za;za=null,Va=0,Ha=null;for(var t=0;t<e.length;t++)(0,e[t])()}}function Ga(e,t){var n=[],r={status:`pending`,value:null,reason:null,then:function(e){n.push(e)}};return e.then(function(){r.status=`fulfilled`,r.value=t;for(var e=0;e<n.length;e++)(0,n[e])(t)},function(e){for(r.status=`rejected`,r.reason=e,e=0;e<n.length;e++)(0,n[e])(void 0)}),r}var Ka=E.S;E.S=function(e,t){if(hd=Ye(),typeof t==`object`&&t&&typeof t.then==`function`&&Ua(e,t),La!==null)for(var n=bf;n!==null;)Ia(n,La),n=n.next;if(n=e.types,n!==null){for(var r=bf;r!==null;)Ia(r,n),r=r.next;if(Va!==0){r=La,r===null&&(r=La=[]);for(var i=0;i<n.length;i++){var a=n[i];r.indexOf(a)===-1&&r.push(a)}}}Ka!==null&&Ka(e,t)};var qa=O(null);function Ja(){var e=qa.current;return e===null?$u.pooledCache:e}function Ya(e,t){t===null?k(qa,qa.current):k(qa,t.pool)}function Xa(){var e=Ja();return e===null?null:{parent:Na._currentValue,pool:e}}var Za=Error(i(460)),Qa=Error(i(474)),$a=Error(i(542)),eo={then:function(){}};function to(e){return e=e.status,e===`fulfilled`||e===`rejected`}function no(e,t,n){switch(n=e[n],n===void 0?e.push(t):n!==t&&(t.then(Dn,Dn),t=n),t.status){case`fulfilled`:return t.value;case`rejected`:throw e=t.reason,oo(e),e===void 0&&!(`reason`in t)?Error(i(600)):e;default:if(typeof t.status==`string`)t.then(Dn,Dn);else{if(e=$u,e!==null&&100<e.shellSuspendCounter)throw Error(i(482));e=t,e.status=`pending`,e.then(function(e){if(t.status===`pending`){var n=t;n.status=`fulfilled`,n.value=e}},function(e){if(t.status===`pending`){var n=t;n.status=`rejected`,n.reason=e}})}switch(t.status){case`fulfilled`:return t.value;case`rejected`:throw e=t.reason,oo(e),e}throw io=t,Za}}function ro(e){try{var t=e._init;return t(e._payload)}catch(e){throw typeof e==`object`&&e&&typeof e.then==`function`?(io=e,Za):e}}var io=null;function ao(){if(io===null)throw Error(i(459));var e=io;return io=null,e}function oo(e){if(e===Za||e===$a)throw Error(i(483))}var so=null,co=0;function lo(e){var t=co;return co+=1,so===null&&(so=[]),no(so,e,t)}function uo(e,t){t=t.props.ref,e.ref=t===void 0?null:t}function fo(e,t){throw t.$$typeof===ne?Error(i(525)):(e=Object.prototype.toString.call(t),Error(i(31,e===`[object Object]`?`object with keys {`+Object.keys(t).join(`, `)+`}`:e)))}function po(e){function t(t,n){if(e){var r=t.deletions;r===null?(t.deletions=[n],t.flags|=16):r.push(n)}}function n(n,r){if(!e)return null;for(;r!==null;)t(n,r),r=r.sibling;return null}function r(e){for(var t=new Map;e!==null;)e.key===null?t.set(e.index,e):t.set(e.key,e),e=e.sibling;return t}function a(e,t){return e=Vi(e,t),e.index=0,e.sibling=null,e}function o(t,n,r){return t.index=r,e?(r=t.alternate,r===null?(t.flags|=134217730,n):(r=r.index,r<n?(t.flags|=2,n):r)):(t.flags|=1048576,n)}function s(t){return e&&t.alternate===null&&(t.flags|=134217730),t}function c(e,t,n,r){return t===null||t.tag!==6?(t=Gi(n,e.mode,r),t.return=e,t):(t=a(t,n),t.return=e,t)}function l(e,t,n,r){var i=n.type;return i===ae?(e=d(e,t,n.props.children,r,n.key),uo(e,n),e):t!==null&&(t.elementType===i||typeof i==`object`&&i&&i.$$typeof===me&&ro(i)===t.type)?(t=a(t,n.props),uo(t,n),t.return=e,t):(t=Ui(n.type,n.key,n.props,null,e.mode,r),uo(t,n),t.return=e,t)}function u(e,t,n,r){return t===null||t.tag!==4||t.stateNode.containerInfo!==n.containerInfo||t.stateNode.implementation!==n.implementation?(t=qi(n,e.mode,r),t.return=e,t):(t=a(t,n.children||[]),t.return=e,t)}function d(e,t,n,r,i){return t===null||t.tag!==7?(t=Wi(n,e.mode,r,i),t.return=e,t):(t=a(t,n),t.return=e,t)}function f(e,t,n){if(typeof t==`string`&&t!==``||typeof t==`number`||typeof t==`bigint`)return t=Gi(``+t,e.mode,n),t.return=e,t;if(typeof t==`object`&&t){switch(t.$$typeof){case re:return n=Ui(t.type,t.key,t.props,null,e.mode,n),uo(n,t),n.return=e,n;case ie:return t=qi(t,e.mode,n),t.return=e,t;case me:return t=ro(t),f(e,t,n)}if(we(t)||xe(t))return t=Wi(t,e.mode,n,null),t.return=e,t;if(typeof t.then==`function`)return f(e,lo(t),n);if(t.$$typeof===le)return f(e,Oa(e,t),n);fo(e,t)}return null}function p(e,t,n,r){var i=t===null?null:t.key;if(typeof n==`string`&&n!==``||typeof n==`number`||typeof n==`bigint`)return i===null?c(e,t,``+n,r):null;if(typeof n==`object`&&n){switch(n.$$typeof){case re:return n.key===i?l(e,t,n,r):null;case ie:return n.key===i?u(e,t,n,r):null;case me:return n=ro(n),p(e,t,n,r)}if(we(n)||xe(n))return i===null?d(e,t,n,r,null):null;if(typeof n.then==`function`)return p(e,t,lo(n),r);if(n.$$typeof===le)return p(e,t,Oa(e,n),r);fo(e,n)}return null}function m(e,t,n,r,i){if(typeof r==`string`&&r!==``||typeof r==`number`||typeof r==`bigint`)return e=e.get(n)||null,c(t,e,``+r,i);if(typeof r==`object`&&r){switch(r.$$typeof){case re:return e=e.get(r.key===null?n:r.key)||null,l(t,e,r,i);case ie:return e=e.get(r.key===null?n:r.key)||null,u(t,e,r,i);case me:return r=ro(r),m(e,t,n,r,i)}if(we(r)||xe(r))return e=e.get(n)||null,d(t,e,r,i,null);if(typeof r.then==`function`)return m(e,t,n,lo(r),i);if(r.$$typeof===le)return m(e,t,n,Oa(t,r),i);fo(t,r)}return null}function h(i,a,s,c){for(var l=null,u=null,d=a,h=a=0,g=null;d!==null&&h<s.length;h++){d.index>h?(g=d,d=null):g=d.sibling;var _=p(i,d,s[h],c);if(_===null){d===null&&(d=g);break}e&&d&&_.alternate===null&&t(i,d),a=o(_,a,h),u===null?l=_:u.sibling=_,u=_,d=g}if(h===s.length)return n(i,d),L&&na(i,h),l;if(d===null){for(;h<s.length;h++)d=f(i,s[h],c),d!==null&&(a=o(d,a,h),u===null?l=d:u.sibling=d,u=d);return L&&na(i,h),l}for(d=r(d);h<s.length;h++)g=m(d,i,h,s[h],c),g!==null&&(e&&(_=g.alternate,_!==null&&d.delete(_.key===null?h:_.key)),a=o(g,a,h),u===null?l=g:u.sibling=g,u=g);return e&&d.forEach(function(e){return t(i,e)}),L&&na(i,h),l}function g(a,s,c,l){if(c==null)throw Error(i(151));for(var u=null,d=null,h=s,g=s=0,_=null,v=c.next();h!==null&&!v.done;g++,v=c.next()){h.index>g?(_=h,h=null):_=h.sibling;var y=p(a,h,v.value,l);if(y===null){h===null&&(h=_);break}e&&h&&y.alternate===null&&t(a,h),s=o(y,s,g),d===null?u=y:d.sibling=y,d=y,h=_}if(v.done)return n(a,h),L&&na(a,g),u;if(h===null){for(;!v.done;g++,v=c.next())v=f(a,v.value,l),v!==null&&(s=o(v,s,g),d===null?u=v:d.sibling=v,d=v);return L&&na(a,g),u}for(h=r(h);!v.done;g++,v=c.next())v=m(h,a,g,v.value,l),v!==null&&(e&&(_=v.alternate,_!==null&&h.delete(_.key===null?g:_.key)),s=o(v,s,g),d===null?u=v:d.sibling=v,d=v);return e&&h.forEach(function(e){return t(a,e)}),L&&na(a,g),u}function _(e,r,o,c){if(typeof o==`object`&&o&&o.type===ae&&o.key===null&&o.props.ref===void 0&&(o=o.props.children),typeof o==`object`&&o){switch(o.$$typeof){case re:a:{for(var l=o.key;r!==null;){if(r.key===l){if(l=o.type,l===ae){if(r.tag===7){n(e,r.sibling),c=a(r,o.props.children),uo(c,o),c.return=e,e=c;break a}}else if(r.elementType===l||typeof l==`object`&&l&&l.$$typeof===me&&ro(l)===r.type){n(e,r.sibling),c=a(r,o.props),uo(c,o),c.return=e,e=c;break a}n(e,r);break}t(e,r),r=r.sibling}o.type===ae?(c=Wi(o.props.children,e.mode,c,o.key),uo(c,o),c.return=e,e=c):(c=Ui(o.type,o.key,o.props,null,e.mode,c),uo(c,o),c.return=e,e=c)}return s(e);case ie:a:{for(l=o.key;r!==null;){if(r.key===l){if(r.tag===4&&r.stateNode.containerInfo===o.containerInfo&&r.stateNode.implementation===o.implementation){n(e,r.sibling),c=a(r,o.children||[]),c.return=e,e=c;break a}n(e,r);break}t(e,r),r=r.sibling}c=qi(o,e.mode,c),c.return=e,e=c}return s(e);case me:return o=ro(o),_(e,r,o,c)}if(we(o))return h(e,r,o,c);if(xe(o)){if(l=xe(o),typeof l!=`function`)throw Error(i(150));return o=l.call(o),g(e,r,o,c)}if(typeof o.then==`function`)return _(e,r,lo(o),c);if(o.$$typeof===le)return _(e,r,Oa(e,o),c);fo(e,o)}return typeof o==`string`&&o!==``||typeof o==`number`||typeof o==`bigint`?(o=``+o,r!==null&&r.tag===6?(n(e,r.sibling),c=a(r,o),c.return=e,e=c):(n(e,r),c=Gi(o,e.mode,c),c.return=e,e=c),s(e)):n(e,r)}return function(e,t,n,r){try{co=0;var i=_(e,t,n,r);return so=null,i}catch(t){if(t===Za||t===$a)throw t;var a=zi(29,t,null,e.mode);return a.lanes=r,a.return=e,a}}}var mo=po(!0),ho=po(!1),go=!1;function _o(e){e.updateQueue={baseState:e.memoizedState,firstBaseUpdate:null,lastBaseUpdate:null,shared:{pending:null,lanes:0,hiddenCallbacks:null},callbacks:null}}function vo(e,t){e=e.updateQueue,t.updateQueue===e&&(t.updateQueue={baseState:e.baseState,firstBaseUpdate:e.firstBaseUpdate,lastBaseUpdate:e.lastBaseUpdate,shared:e.shared,callbacks:null})}function yo(e){return{lane:e,tag:0,payload:null,callback:null,next:null}}function bo(e,t,n){var r=e.updateQueue;if(r===null)return null;if(r=r.shared,q&2){var i=r.pending;return i===null?t.next=t:(t.next=i.next,i.next=t),r.pending=t,t=Ii(e),Fi(e,null,n),t}return Mi(e,r,t,n),Ii(e)}function xo(e,t,n){if(t=t.updateQueue,t!==null&&(t=t.shared,n&4194048)){var r=t.lanes;r&=e.pendingLanes,n|=r,t.lanes=n,wt(e,n)}}function So(e,t){var n=e.updateQueue,r=e.alternate;if(r!==null&&(r=r.updateQueue,n===r)){var i=null,a=null;if(n=n.firstBaseUpdate,n!==null){do{var o={lane:n.lane,tag:n.tag,payload:n.payload,callback:null,next:null};a===null?i=a=o:a=a.next=o,n=n.next}while(n!==null);a===null?i=a=t:a=a.next=t}else i=a=t;n={baseState:r.baseState,firstBaseUpdate:i,lastBaseUpdate:a,shared:r.shared,callbacks:r.callbacks},e.updateQueue=n}else e=n.lastBaseUpdate,e===null?n.firstBaseUpdate=t:e.next=t,n.lastBaseUpdate=t}var Co=!1;function wo(){if(Co){var e=Ha;if(e!==null)throw e}}function To(e,t,n,r){Co=!1;var i=e.updateQueue;go=!1;var a=i.firstBaseUpdate,o=i.lastBaseUpdate,s=i.shared.pending;if(s!==null){i.shared.pending=null;var c=s,l=c.next;c.next=null,o===null?a=l:o.next=l,o=c;var u=e.alternate;u!==null&&(u=u.updateQueue,s=u.lastBaseUpdate,s!==o&&(s===null?u.firstBaseUpdate=l:s.next=l,u.lastBaseUpdate=c))}if(a!==null){var d=i.baseState;o=0,u=l=c=null,s=a;do{var f=s.lane&-536870913,p=f!==s.lane;if(p?(Y&f)===f:(r&f)===f){f!==0&&f===Va&&(Co=!0),u!==null&&(u=u.next={lane:0,tag:s.tag,payload:s.payload,callback:null,next:null});a:{var m=e,h=s;f=t;var g=n;switch(h.tag){case 1:if(m=h.payload,typeof m==`function`){d=m.call(g,d,f);break a}d=m;break a;case 3:m.flags=m.flags&-65537|128;case 0:if(m=h.payload,f=typeof m==`function`?m.call(g,d,f):m,f==null)break a;d=T({},d,f);break a;case 2:go=!0}}f=s.callback,f!==null&&(e.flags|=64,p&&(e.flags|=8192),p=i.callbacks,p===null?i.callbacks=[f]:p.push(f))}else p={lane:f,tag:s.tag,payload:s.payload,callback:s.callback,next:null},u===null?(l=u=p,c=d):u=u.next=p,o|=f;if(s=s.next,s===null){if(s=i.shared.pending,s===null)break;p=s,s=p.next,p.next=null,i.lastBaseUpdate=p,i.shared.pending=null}}while(1);u===null&&(c=d),i.baseState=c,i.firstBaseUpdate=l,i.lastBaseUpdate=u,a===null&&(i.shared.lanes=0),od|=o,e.lanes=o,e.memoizedState=d}}function Eo(e,t){if(typeof e!=`function`)throw Error(i(191,e));e.call(t)}function Do(e,t){var n=e.callbacks;if(n!==null)for(e.callbacks=null,e=0;e<n.length;e++)Eo(n[e],t)}var Oo=O(null),ko=O(0);function Ao(e,t){e=id,k(ko,e),k(Oo,t),id=e|t.baseLanes}function jo(){k(ko,id),k(Oo,Oo.current)}function Mo(){id=ko.current,Oe(Oo),Oe(ko)}var No=O(null),Po=null;function Fo(e){var t=e.alternate;k(Bo,Bo.current&1),k(No,e),Po===null&&(t===null||Oo.current!==null||t.memoizedState!==null)&&(Po=e)}function Io(e){k(Bo,Bo.current),k(No,e),Po===null&&(Po=e)}function Lo(e){e.tag===22?(k(Bo,Bo.current),k(No,e),Po===null&&(Po=e)):Ro()}function Ro(){k(Bo,Bo.current),k(No,No.current)}function zo(e){Oe(No),Po===e&&(Po=null),Oe(Bo)}var Bo=O(0);function Vo(e,t){k(No,No.current),k(Bo,t)}function Ho(e){Oe(Bo),Oe(No),Po===e&&(Po=null)}function Uo(e){for(var t=e;t!==null;){if(t.tag===13){var n=t.memoizedState;if(n!==null&&(n=n.dehydrated,n===null||om(n)||sm(n)))return t}else if(t.tag===19&&t.memoizedProps.revealOrder!==`independent`){if(t.flags&128)return t}else if(t.child!==null){t.child.return=t,t=t.child;continue}if(t===e)break;for(;t.sibling===null;){if(t.return===null||t.return===e)return null;t=t.return}t.sibling.return=t.return,t=t.sibling}return null}var Wo=0,z=null,B=null,Go=null,Ko=!1,qo=!1,Jo=!1,Yo=0,Xo=0,Zo=null,Qo=0;function $o(){throw Error(i(321))}function es(e,t){if(t===null)return!1;for(var n=0;n<t.length&&n<e.length;n++)if(!Yr(e[n],t[n]))return!1;return!0}function ts(e,t,n,r,i,a){return Wo=a,z=t,t.memoizedState=null,t.updateQueue=null,t.lanes=0,E.H=e===null||e.memoizedState===null?pc:mc,Jo=!1,a=n(r,i),Jo=!1,qo&&(a=rs(t,n,r,i)),ns(e),a}function ns(e){E.H=fc;var t=B!==null&&B.next!==null;if(Wo=0,Go=B=z=null,Ko=!1,Xo=0,Zo=null,t)throw Error(i(300));e===null||jc||(e=e.dependencies,e!==null&&Ta(e)&&(jc=!0))}function rs(e,t,n,r){z=e;var a=0;do{if(qo&&(Zo=null),Xo=0,qo=!1,25<=a)throw Error(i(301));if(a+=1,Go=B=null,e.updateQueue!=null){var o=e.updateQueue;o.lastEffect=null,o.events=null,o.stores=null,o.memoCache!=null&&(o.memoCache.index=0)}E.H=hc,o=t(n,r)}while(qo);return o}function is(){var e=E.H,t=e.useState()[0];return t=typeof t.then==`function`?ls(t):t,e=e.useState()[0],(B===null?null:B.memoizedState)!==e&&(z.flags|=1024),t}function as(){var e=Yo!==0;return Yo=0,e}function os(e,t,n){t.updateQueue=e.updateQueue,t.flags&=-2053,e.lanes&=~n}function ss(e){if(Ko){for(e=e.memoizedState;e!==null;){var t=e.queue;t!==null&&(t.pending=null),e=e.next}Ko=!1}Wo=0,Go=B=z=null,qo=!1,Xo=Yo=0,Zo=null}function V(){var e={memoizedState:null,baseState:null,baseQueue:null,queue:null,next:null};return Go===null?z.memoizedState=Go=e:Go=Go.next=e,Go}function H(){if(B===null){var e=z.alternate;e=e===null?null:e.memoizedState}else e=B.next;var t=Go===null?z.memoizedState:Go.next;if(t!==null)Go=t,B=e;else{if(e===null)throw z.alternate===null?Error(i(467)):Error(i(310));B=e,e={memoizedState:B.memoizedState,baseState:B.baseState,baseQueue:B.baseQueue,queue:B.queue,next:null},Go===null?z.memoizedState=Go=e:Go=Go.next=e}return Go}function cs(){return{lastEffect:null,events:null,stores:null,memoCache:null}}function ls(e){var t=Xo;return Xo+=1,Zo===null&&(Zo=[]),e=no(Zo,e,t),t=z,(Go===null?t.memoizedState:Go.next)===null&&(t=t.alternate,E.H=t===null||t.memoizedState===null?pc:mc),e}function us(e){if(typeof e==`object`&&e){if(typeof e.then==`function`)return ls(e);if(e.$$typeof===ye)return;if(e.$$typeof===le)return Da(e)}throw Error(i(438,String(e)))}function U(e){var t=null,n=z.updateQueue;if(n!==null&&(t=n.memoCache),t==null){var r=z.alternate;r!==null&&(r=r.updateQueue,r!==null&&(r=r.memoCache,r!=null&&(t={data:r.data.map(function(e){return e.slice()}),index:0})))}if(t??={data:[],index:0},n===null&&(n=cs(),z.updateQueue=n),n.memoCache=t,n=t.data[t.index],n===void 0)for(n=t.data[t.index]=Array(e),r=0;r<e;r++)n[r]=_e;return t.index++,n}function ds(e,t){return typeof t==`function`?t(e):t}function fs(e){return ps(H(),B,e)}function ps(e,t,n){var r=e.queue;if(r===null)throw Error(i(311));r.lastRenderedReducer=n;var a=e.baseQueue,o=r.pending;if(o!==null){if(a!==null){var s=a.next;a.next=o.next,o.next=s}t.baseQueue=a=o,r.pending=null}if(o=e.baseState,a===null)e.memoizedState=o;else{t=a.next;var c=s=null,l=null,u=t,d=!1;do{var f=u.lane&-536870913;if(f===u.lane?(Wo&f)===f:(Y&f)===f){var p=u.revertLane;if(p===0)l!==null&&(l=l.next={lane:0,revertLane:0,gesture:null,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null}),f===Va&&(d=!0);else if((Wo&p)===p){u=u.next,p===Va&&(d=!0);continue}else f={lane:0,revertLane:u.revertLane,gesture:null,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null},l===null?(c=l=f,s=o):l=l.next=f,z.lanes|=p,od|=p;f=u.action,Jo&&n(o,f),o=u.hasEagerState?u.eagerState:n(o,f)}else p={lane:f,revertLane:u.revertLane,gesture:u.gesture,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null},l===null?(c=l=p,s=o):l=l.next=p,z.lanes|=f,od|=f;u=u.next}while(u!==null&&u!==t);if(l===null?s=o:l.next=c,!Yr(o,e.memoizedState)&&(jc=!0,d&&(n=Ha,n!==null)))throw n;e.memoizedState=o,e.baseState=s,e.baseQueue=l,r.lastRenderedState=o}return a===null&&(r.lanes=0),[e.memoizedState,r.dispatch]}function ms(e){var t=H(),n=t.queue;if(n===null)throw Error(i(311));n.lastRenderedReducer=e;var r=n.dispatch,a=n.pending,o=t.memoizedState;if(a!==null){n.pending=null;var s=a=a.next;do o=e(o,s.action),s=s.next;while(s!==a);Yr(o,t.memoizedState)||(jc=!0),t.memoizedState=o,t.baseQueue===null&&(t.baseState=o),n.lastRenderedState=o}return[o,r]}function hs(e,t,n){var r=z,a=H(),o=L;if(o){if(n===void 0)throw Error(i(407));n=n()}else n=t();var s=!Yr((B||a).memoizedState,n);if(s&&(a.memoizedState=n,jc=!0),a=a.queue,G(vs.bind(null,r,a,e),[e]),e=a.getSnapshot!==t||s||Go!==null&&!!(Go.memoizedState.tag&1),Fs(e?9:8,{destroy:void 0},_s.bind(null,r,a,n,t),null),e){if(r.flags|=2048,$u===null)throw Error(i(349));o||Wo&127||gs(r,t,n)}return n}function gs(e,t,n){e.flags|=16384,e={getSnapshot:t,value:n},t=z.updateQueue,t===null?(t=cs(),z.updateQueue=t,t.stores=[e]):(n=t.stores,n===null?t.stores=[e]:n.push(e))}function _s(e,t,n,r){t.value=n,t.getSnapshot=r,ys(t)&&bs(e)}function vs(e,t,n){return n(function(){ys(t)&&bs(e)})}function ys(e){var t=e.getSnapshot;e=e.value;try{var n=t();return!Yr(e,n)}catch{return!0}}function bs(e){var t=Pi(e,2);t!==null&&Pd(t,e,2)}function xs(e){var t=V();if(typeof e==`function`){var n=e;if(e=n(),Jo){ot(!0);try{n()}finally{ot(!1)}}}return t.memoizedState=t.baseState=e,t.queue={pending:null,lanes:0,dispatch:null,lastRenderedReducer:ds,lastRenderedState:e},t}function Ss(e,t,n,r){return e.baseState=n,ps(e,B,typeof r==`function`?r:ds)}function Cs(e,t,n,r,a){if(lc(e))throw Error(i(485));if(e=t.action,e!==null){var o={payload:a,action:e,next:null,isTransition:!0,status:`pending`,value:null,reason:null,listeners:[],then:function(e){o.listeners.push(e)}};E.T===null?o.isTransition=!1:n(!0),r(o),n=t.pending,n===null?(o.next=t.pending=o,ws(t,o)):(o.next=n.next,t.pending=n.next=o)}}function ws(e,t){var n=t.action,r=t.payload,i=e.state;if(t.isTransition){var a=E.T,o={};o.types=a===null?null:a.types,E.T=o;try{var s=n(i,r),c=E.S;c!==null&&c(o,s),Ts(e,t,s)}catch(n){Ds(e,t,n)}finally{a!==null&&o.types!==null&&(a.types=o.types),E.T=a}}else try{a=n(i,r),Ts(e,t,a)}catch(n){Ds(e,t,n)}}function Ts(e,t,n){typeof n==`object`&&n&&typeof n.then==`function`?n.then(function(n){Es(e,t,n)},function(n){return Ds(e,t,n)}):Es(e,t,n)}function Es(e,t,n){t.status=`fulfilled`,t.value=n,Os(t),e.state=n,t=e.pending,t!==null&&(n=t.next,n===t?e.pending=null:(n=n.next,t.next=n,ws(e,n)))}function Ds(e,t,n){var r=e.pending;if(e.pending=null,r!==null){r=r.next;do t.status=`rejected`,t.reason=n,Os(t),t=t.next;while(t!==r)}e.action=null}function Os(e){e=e.listeners;for(var t=0;t<e.length;t++)(0,e[t])()}function ks(e,t){return t}function As(e,t){if(L){var n=$u.formState;if(n!==null){a:{var r=z;if(L){if(I){b:{for(var i=I,a=ca;i.nodeType!==8;)if(!a||(i=lm(i.nextSibling),i===null)){i=null;break b}a=i.data,i=a===`F!`||a===`F`?i:null}if(i){I=lm(i.nextSibling),r=i.data===`F!`;break a}}ua(r)}r=!1}r&&(t=n[0])}}return n=V(),n.memoizedState=n.baseState=t,r={pending:null,lanes:0,dispatch:null,lastRenderedReducer:ks,lastRenderedState:t},n.queue=r,n=oc.bind(null,z,r),r.dispatch=n,r=xs(!1),a=cc.bind(null,z,!1,r.queue),r=V(),i={state:t,dispatch:null,action:e,pending:null},r.queue=i,n=Cs.bind(null,z,i,a,n),i.dispatch=n,r.memoizedState=e,[t,n,!1]}function js(e){return Ms(H(),B,e)}function Ms(e,t,n){if(t=ps(e,t,ks)[0],e=fs(ds)[0],typeof t==`object`&&t&&typeof t.then==`function`)try{var r=ls(t)}catch(e){throw e===Za?$a:e}else r=t;t=H();var i=t.queue,a=i.dispatch;return n!==t.memoizedState&&(z.flags|=2048,Fs(9,{destroy:void 0},Ns.bind(null,i,n),null)),[r,a,e]}function Ns(e,t){e.action=t}function Ps(e){var t=H(),n=B;if(n!==null)return Ms(t,n,e);H(),t=t.memoizedState,n=H();var r=n.queue.dispatch;return n.memoizedState=e,[t,r,!1]}function Fs(e,t,n,r){return e={tag:e,create:n,deps:r,inst:t,next:null},t=z.updateQueue,t===null&&(t=cs(),z.updateQueue=t),n=t.lastEffect,n===null?t.lastEffect=e.next=e:(r=n.next,n.next=e,e.next=r,t.lastEffect=e),e}function W(){return H().memoizedState}function Is(e,t,n,r){var i=V();z.flags|=e,i.memoizedState=Fs(1|t,{destroy:void 0},n,r===void 0?null:r)}function Ls(e,t,n,r){var i=H();r=r===void 0?null:r;var a=i.memoizedState.inst;B!==null&&r!==null&&es(r,B.memoizedState.deps)?i.memoizedState=Fs(t,a,n,r):(z.flags|=e,i.memoizedState=Fs(1|t,a,n,r))}function Rs(e,t){Is(8390656,8,e,t)}function G(e,t){Ls(2048,8,e,t)}function zs(e){z.flags|=4;var t=z.updateQueue;if(t===null)t=cs(),z.updateQueue=t,t.events=[e];else{var n=t.events;n===null?t.events=[e]:n.push(e)}}function Bs(e){var t=H().memoizedState;return zs({ref:t,nextImpl:e}),function(){if(q&2)throw Error(i(440));return t.impl.apply(void 0,arguments)}}function Vs(e,t){return Ls(4,2,e,t)}function Hs(e,t){return Ls(4,4,e,t)}function Us(e,t){if(typeof t==`function`){e=e();var n=t(e);return function(){typeof n==`function`?n():t(null)}}if(t!=null)return e=e(),t.current=e,function(){t.current=null}}function Ws(e,t,n){n=n==null?null:n.concat([e]),Ls(4,4,Us.bind(null,t,e),n)}function Gs(){}function Ks(e,t){var n=H();t=t===void 0?null:t;var r=n.memoizedState;return t!==null&&es(t,r[1])?r[0]:(n.memoizedState=[e,t],e)}function qs(e,t){var n=H();t=t===void 0?null:t;var r=n.memoizedState;if(t!==null&&es(t,r[1]))return r[0];if(r=e(),Jo){ot(!0);try{e()}finally{ot(!1)}}return n.memoizedState=[r,t],r}function Js(e,t,n){return n===void 0||Wo&1073741824&&!(Y&261930)?e.memoizedState=t:(e.memoizedState=n,e=Md(),z.lanes|=e,od|=e,n)}function Ys(e,t,n,r){return Yr(n,t)?n:Oo.current===null?!(Wo&106)||Wo&1073741824&&!(Y&261930)?(jc=!0,e.memoizedState=n):(e=Md(),z.lanes|=e,od|=e,t):(e=Js(e,n,r),Yr(e,t)||(jc=!0),e)}function Xs(e,t,n,r,i){var a=D.p;D.p=a!==0&&8>a?a:8;var o=E.T,s={};s.types=o===null?null:o.types,E.T=s,cc(e,!1,t,n);try{var c=i(),l=E.S;l!==null&&l(s,c),typeof c==`object`&&c&&typeof c.then==`function`?sc(e,t,Ga(c,r),jd(e)):sc(e,t,r,jd(e))}catch(n){sc(e,t,{then:function(){},status:`rejected`,reason:n},jd())}finally{D.p=a,o!==null&&s.types!==null&&(o.types=s.types),E.T=o}}function Zs(){}function Qs(e,t,n,r){if(e.tag!==5)throw Error(i(476));var a=$s(e).queue;Xs(e,a,t,Te,n===null?Zs:function(){return ec(e),n(r)})}function $s(e){var t=e.memoizedState;if(t!==null)return t;t={memoizedState:Te,baseState:Te,baseQueue:null,queue:{pending:null,lanes:0,dispatch:null,lastRenderedReducer:ds,lastRenderedState:Te},next:null};var n={};return t.next={memoizedState:n,baseState:n,baseQueue:null,queue:{pending:null,lanes:0,dispatch:null,lastRenderedReducer:ds,lastRenderedState:n},next:null},e.memoizedState=t,e=e.alternate,e!==null&&(e.memoizedState=t),t}function ec(e){var t=$s(e);t.next===null&&(t=e.alternate.memoizedState),sc(e,t.next.queue,{},jd())}function tc(){return Da(sh)}function nc(){return H().memoizedState}function rc(){return H().memoizedState}function ic(e){for(var t=e.return;t!==null;){switch(t.tag){case 24:case 3:var n=jd();e=yo(n);var r=bo(t,e,n);r!==null&&(Pd(r,t,n),xo(r,t,n)),t={cache:Pa()},e.payload=t;return}t=t.return}}function ac(e,t,n){var r=jd();n={lane:r,revertLane:0,gesture:null,action:n,hasEagerState:!1,eagerState:null,next:null},lc(e)?uc(t,n):(n=Ni(e,t,n,r),n!==null&&(Pd(n,e,r),dc(n,t,r)))}function oc(e,t,n){sc(e,t,n,jd())}function sc(e,t,n,r){var i={lane:r,revertLane:0,gesture:null,action:n,hasEagerState:!1,eagerState:null,next:null};if(lc(e))uc(t,i);else{var a=e.alternate;if(e.lanes===0&&(a===null||a.lanes===0)&&(a=t.lastRenderedReducer,a!==null))try{var o=t.lastRenderedState,s=a(o,n);if(i.hasEagerState=!0,i.eagerState=s,Yr(s,o))return Mi(e,t,i,0),$u===null&&ji(),!1}catch{}if(n=Ni(e,t,i,r),n!==null)return Pd(n,e,r),dc(n,t,r),!0}return!1}function cc(e,t,n,r){if(r={lane:2,revertLane:Pf(),gesture:null,action:r,hasEagerState:!1,eagerState:null,next:null},lc(e)){if(t)throw Error(i(479))}else t=Ni(e,n,r,2),t!==null&&Pd(t,e,2)}function lc(e){var t=e.alternate;return e===z||t!==null&&t===z}function uc(e,t){qo=Ko=!0;var n=e.pending;n===null?t.next=t:(t.next=n.next,n.next=t),e.pending=t}function dc(e,t,n){if(n&4194048){var r=t.lanes;r&=e.pendingLanes,n|=r,t.lanes=n,wt(e,n)}}var fc={readContext:Da,use:us,useCallback:$o,useContext:$o,useEffect:$o,useImperativeHandle:$o,useLayoutEffect:$o,useInsertionEffect:$o,useMemo:$o,useReducer:$o,useRef:$o,useState:$o,useDebugValue:$o,useDeferredValue:$o,useTransition:$o,useSyncExternalStore:$o,useId:$o,useHostTransitionStatus:$o,useFormState:$o,useActionState:$o,useOptimistic:$o,useMemoCache:$o,useCacheRefresh:$o,useEffectEvent:$o},pc={readContext:Da,use:us,useCallback:function(e,t){return V().memoizedState=[e,t===void 0?null:t],e},useContext:Da,useEffect:Rs,useImperativeHandle:function(e,t,n){n=n==null?null:n.concat([e]),Is(4194308,4,Us.bind(null,t,e),n)},useLayoutEffect:function(e,t){return Is(4194308,4,e,t)},useInsertionEffect:function(e,t){Is(4,2,e,t)},useMemo:function(e,t){var n=V();t=t===void 0?null:t;var r=e();if(Jo){ot(!0);try{e()}finally{ot(!1)}}return n.memoizedState=[r,t],r},useReducer:function(e,t,n){var r=V();if(n!==void 0){var i=n(t);if(Jo){ot(!0);try{n(t)}finally{ot(!1)}}}else i=t;return r.memoizedState=r.baseState=i,e={pending:null,lanes:0,dispatch:null,lastRenderedReducer:e,lastRenderedState:i},r.queue=e,e=e.dispatch=ac.bind(null,z,e),[r.memoizedState,e]},useRef:function(e){var t=V();return e={current:e},t.memoizedState=e},useState:function(e){e=xs(e);var t=e.queue,n=oc.bind(null,z,t);return t.dispatch=n,[e.memoizedState,n]},useDebugValue:Gs,useDeferredValue:function(e,t){return Js(V(),e,t)},useTransition:function(){var e=xs(!1);return e=Xs.bind(null,z,e.queue,!0,!1),V().memoizedState=e,[!1,e]},useSyncExternalStore:function(e,t,n){var r=z,a=V();if(L){if(n===void 0)throw Error(i(407));n=n()}else{if(n=t(),$u===null)throw Error(i(349));Y&127||gs(r,t,n)}a.memoizedState=n;var o={value:n,getSnapshot:t};return a.queue=o,Rs(vs.bind(null,r,o,e),[e]),r.flags|=2048,Fs(9,{destroy:void 0},_s.bind(null,r,o,n,t),null),n},useId:function(){var e=V(),t=$u.identifierPrefix;if(L){var n=ta,r=ea;n=(r&~(1<<32-st(r)-1)).toString(32)+n,t=`_`+t+`R_`+n,n=Yo++,0<n&&(t+=`H`+n.toString(32)),t+=`_`}else n=Qo++,t=`_`+t+`r_`+n.toString(32)+`_`;return e.memoizedState=t},useHostTransitionStatus:tc,useFormState:As,useActionState:As,useOptimistic:function(e){var t=V();t.memoizedState=t.baseState=e;var n={pending:null,lanes:0,dispatch:null,lastRenderedReducer:null,lastRenderedState:null};return t.queue=n,t=cc.bind(null,z,!0,n),n.dispatch=t,[e,t]},useMemoCache:U,useCacheRefresh:function(){return V().memoizedState=ic.bind(null,z)},useEffectEvent:function(e){var t=V(),n={impl:e};return t.memoizedState=n,function(){if(q&2)throw Error(i(440));return n.impl.apply(void 0,arguments)}}},mc={readContext:Da,use:us,useCallback:Ks,useContext:Da,useEffect:G,useImperativeHandle:Ws,useInsertionEffect:Vs,useLayoutEffect:Hs,useMemo:qs,useReducer:fs,useRef:W,useState:function(){return fs(ds)},useDebugValue:Gs,useDeferredValue:function(e,t){return Ys(H(),B.memoizedState,e,t)},useTransition:function(){var e=fs(ds)[0],t=H().memoizedState;return[typeof e==`boolean`?e:ls(e),t]},useSyncExternalStore:hs,useId:nc,useHostTransitionStatus:tc,useFormState:js,useActionState:js,useOptimistic:function(e,t){return Ss(H(),B,e,t)},useMemoCache:U,useCacheRefresh:rc,useEffectEvent:Bs},hc={readContext:Da,use:us,useCallback:Ks,useContext:Da,useEffect:G,useImperativeHandle:Ws,useInsertionEffect:Vs,useLayoutEffect:Hs,useMemo:qs,useReducer:ms,useRef:W,useState:function(){return ms(ds)},useDebugValue:Gs,useDeferredValue:function(e,t){var n=H();return B===null?Js(n,e,t):Ys(n,B.memoizedState,e,t)},useTransition:function(){var e=ms(ds)[0],t=H().memoizedState;return[typeof e==`boolean`?e:ls(e),t]},useSyncExternalStore:hs,useId:nc,useHostTransitionStatus:tc,useFormState:Ps,useActionState:Ps,useOptimistic:function(e,t){var n=H();return B===null?(n.baseState=e,[e,n.queue.dispatch]):Ss(n,B,e,t)},useMemoCache:U,useCacheRefresh:rc,useEffectEvent:Bs};function gc(e,t,n,r){t=e.memoizedState,n=n(r,t),n=n==null?t:T({},t,n),e.memoizedState=n,e.lanes===0&&(e.updateQueue.baseState=n)}var _c={enqueueSetState:function(e,t,n){e=e._reactInternals;var r=jd(),i=yo(r);i.payload=t,n!=null&&(i.callback=n),t=bo(e,i,r),t!==null&&(Pd(t,e,r),xo(t,e,r))},enqueueReplaceState:function(e,t,n){e=e._reactInternals;var r=jd(),i=yo(r);i.tag=1,i.payload=t,n!=null&&(i.callback=n),t=bo(e,i,r),t!==null&&(Pd(t,e,r),xo(t,e,r))},enqueueForceUpdate:function(e,t){e=e._reactInternals;var n=jd(),r=yo(n);r.tag=2,t!=null&&(r.callback=t),t=bo(e,r,n),t!==null&&(Pd(t,e,n),xo(t,e,n))}};function vc(e,t,n,r,i,a,o){return e=e.stateNode,typeof e.shouldComponentUpdate==`function`?e.shouldComponentUpdate(r,a,o):t.prototype&&t.prototype.isPureReactComponent?!Xr(n,r)||!Xr(i,a):!0}function yc(e,t,n,r){e=t.state,typeof t.componentWillReceiveProps==`function`&&t.componentWillReceiveProps(n,r),typeof t.UNSAFE_componentWillReceiveProps==`function`&&t.UNSAFE_componentWillReceiveProps(n,r),t.state!==e&&_c.enqueueReplaceState(t,t.state,null)}function bc(e,t){var n=t;if(`ref`in t)for(var r in n={},t)r!==`ref`&&(n[r]=t[r]);if(e=e.defaultProps)for(var i in n===t&&(n=T({},n)),e)n[i]===void 0&&(n[i]=e[i]);return n}function xc(e){Di(e)}function Sc(e){console.error(e)}function Cc(e){Di(e)}function wc(e,t){try{var n=e.onUncaughtError;n(t.value,{componentStack:t.stack})}catch(e){setTimeout(function(){throw e})}}function Tc(e,t,n){try{var r=e.onCaughtError;r(n.value,{componentStack:n.stack,errorBoundary:t.tag===1?t.stateNode:null})}catch(e){setTimeout(function(){throw e})}}function Ec(e,t,n){return n=yo(n),n.tag=3,n.payload={element:null},n.callback=function(){wc(e,t)},n}function Dc(e){return e=yo(e),e.tag=3,e}function Oc(e,t,n,r){var i=n.type.getDerivedStateFromError;if(typeof i==`function`){var a=r.value;e.payload=function(){return i(a)},e.callback=function(){Tc(t,n,r)}}var o=n.stateNode;o!==null&&typeof o.componentDidCatch==`function`&&(e.callback=function(){Tc(t,n,r),typeof i!=`function`&&(vd===null?vd=new Set([this]):vd.add(this));var e=r.stack;this.componentDidCatch(r.value,{componentStack:e===null?``:e})})}function kc(e,t,n,r,a){if(n.flags|=32768,typeof r==`object`&&r&&typeof r.then==`function`){if(t=n.alternate,t!==null&&wa(t,n,a,!0),n=No.current,n!==null){switch(n.tag){case 31:case 13:case 19:return Po===null?Kd():n.alternate===null&&ad===0&&(ad=3),n.flags&=-257,n.flags|=65536,n.lanes=a,r===eo?n.flags|=16384:(t=n.updateQueue,t===null?n.updateQueue=new Set([r]):t.add(r),mf(e,r,a)),!1;case 22:return n.flags|=65536,r===eo?n.flags|=16384:(t=n.updateQueue,t===null?(t={transitions:null,markerInstances:null,retryQueue:new Set([r])},n.updateQueue=t):(n=t.retryQueue,n===null?t.retryQueue=new Set([r]):n.add(r)),mf(e,r,a)),!1}throw Error(i(435,n.tag))}return mf(e,r,a),Kd(),!1}if(L)return t=No.current,t===null?(r!==la&&(t=Error(i(423),{cause:r}),ga(Yi(t,n))),e=e.current.alternate,e.flags|=65536,a&=-a,e.lanes|=a,r=Yi(r,n),a=Ec(e.stateNode,r,a),So(e,a),ad!==4&&(ad=2)):(!(t.flags&65536)&&(t.flags|=256),t.flags|=65536,t.lanes=a,r!==la&&(e=Error(i(422),{cause:r}),ga(Yi(e,n)))),!1;var o=Error(i(520),{cause:r});if(o=Yi(o,n),dd===null?dd=[o]:dd.push(o),ad!==4&&(ad=2),t===null)return!0;r=Yi(r,n),n=t;do{switch(n.tag){case 3:return n.flags|=65536,e=a&-a,n.lanes|=e,e=Ec(n.stateNode,r,e),So(n,e),!1;case 1:if(t=n.type,o=n.stateNode,!(n.flags&128)&&(typeof t.getDerivedStateFromError==`function`||o!==null&&typeof o.componentDidCatch==`function`&&(vd===null||!vd.has(o))))return n.flags|=65536,a&=-a,n.lanes|=a,a=Dc(a),Oc(a,e,n,r),So(n,a),!1;break;case 22:if(n.memoizedState!==null)return n.flags|=65536,!1}n=n.return}while(n!==null);return!1}var Ac=Error(i(461)),jc=!1;function Mc(e,t,n,r){t.child=e===null?ho(t,null,n,r):mo(t,e.child,n,r)}function Nc(e,t,n,r,i){n=n.render;var a=t.ref;if(`ref`in r){var o={};for(var s in r)s!==`ref`&&(o[s]=r[s])}else o=r;return Ea(t),r=ts(e,t,n,o,a,i),s=as(),e!==null&&!jc?(os(e,t,i),sl(e,t,i)):(L&&s&&ia(t),t.flags|=1,Mc(e,t,r,i),t.child)}function Pc(e,t,n,r,i){if(e===null){var a=n.type;return typeof a==`function`&&!Bi(a)&&a.defaultProps===void 0&&n.compare===null?(t.tag=15,t.type=a,Fc(e,t,a,r,i)):(e=Ui(n.type,null,r,t,t.mode,i),e.ref=t.ref,e.return=t,t.child=e)}if(a=e.child,!cl(e,i)){var o=a.memoizedProps;if(n=n.compare,n=n===null?Xr:n,n(o,r)&&e.ref===t.ref)return sl(e,t,i)}return t.flags|=1,e=Vi(a,r),e.ref=t.ref,e.return=t,t.child=e}function Fc(e,t,n,r,i){if(e!==null){var a=e.memoizedProps;if(Xr(a,r)&&e.ref===t.ref){if(jc=!1,t.pendingProps=r=a,cl(e,i))e.flags&131072&&(jc=!0);else return t.lanes=e.lanes,sl(e,t,i)}}return Uc(e,t,n,r,i)}function Ic(e,t,n,r){var i=r.children,a=e===null?null:e.memoizedState;if(e===null&&t.stateNode===null&&(t.stateNode={_visibility:1,_pendingMarkers:null,_retryCache:null,_transitions:null}),r.mode===`hidden`){if(t.flags&128){if(a=a===null?n:a.baseLanes|n,e!==null){for(r=t.child=e.child,i=0;r!==null;)i=i|r.lanes|r.childLanes,r=r.sibling;r=i&~a}else r=0,t.child=null;return Rc(e,t,a,n,r)}if(n&536870912)t.memoizedState={baseLanes:0,cachePool:null},e!==null&&Ya(t,a===null?null:a.cachePool),a===null?jo():Ao(t,a),Lo(t);else return r=t.lanes=536870912,Rc(e,t,a===null?n:a.baseLanes|n,n,r)}else a===null?(e!==null&&Ya(t,null),jo(),Ro()):(Ya(t,a.cachePool),Ao(t,a),Ro(),t.memoizedState=null);return Mc(e,t,i,n),t.child}function Lc(e,t){return e!==null&&e.tag===22||t.stateNode!==null||(t.stateNode={_visibility:1,_pendingMarkers:null,_retryCache:null,_transitions:null}),t.sibling}function Rc(e,t,n,r,i){var a=Ja();return a=a===null?null:{parent:Na._currentValue,pool:a},t.memoizedState={baseLanes:n,cachePool:a},e!==null&&Ya(t,null),jo(),Lo(t),e!==null&&wa(e,t,r,!0),t.childLanes=i,null}function zc(e,t){return t=Qc({mode:t.mode,children:t.children},e.mode),t.ref=e.ref,e.child=t,t.return=e,t}function Bc(e,t,n){return mo(t,e.child,null,n),e=zc(t,t.pendingProps),e.flags|=2,zo(t),t.memoizedState=null,e}function Vc(e,t,n){var r=t.pendingProps,a=!!(t.flags&128);if(t.flags&=-129,e===null){if(L){if(r.mode===`hidden`)return e=zc(t,r),t.lanes=536870912,e.memoizedState={baseLanes:0,cachePool:null},Lc(null,e);if(Io(t),(e=I)?(e=am(e,ca),e=e!==null&&e.data===`&`?e:null,e!==null&&(t.memoizedState={dehydrated:e,treeContext:$i===null?null:{id:ea,overflow:ta},retryLane:536870912,hydrationErrors:null},n=Ki(e),n.return=t,t.child=n,sa=t,I=null)):e=null,e===null)throw ua(t);return t.lanes=536870912,null}return zc(t,r)}var o=e.memoizedState;if(o!==null){var s=o.dehydrated;if(Io(t),a){if(t.flags&256)t.flags&=-257,t=Bc(e,t,n);else if(t.memoizedState!==null)t.child=e.child,t.flags|=128,t=null;else throw Error(i(558))}else if(jc||wa(e,t,n,!1),a=(n&e.childLanes)!==0,jc||a){if(Oo.current===null){if(r=$u,r!==null&&(s=Tt(r,n),s!==0&&s!==o.retryLane))throw o.retryLane=s,Pi(e,s),Pd(r,e,s),Ac;Kd()}t=Bc(e,t,n)}else e=o.treeContext,I=lm(s.nextSibling),sa=t,L=!0,R=null,ca=!1,e!==null&&oa(t,e),t=zc(t,r),t.flags|=134221824;return t}return e=Vi(e.child,{mode:r.mode,children:r.children}),e.ref=t.ref,t.child=e,e.return=t,e}function Hc(e,t){var n=t.ref;if(n===null)e!==null&&e.ref!==null&&(t.flags|=4194816);else{if(typeof n!=`function`&&typeof n!=`object`)throw Error(i(284));(e===null||e.ref!==n)&&(t.flags|=4194816)}}function Uc(e,t,n,r,i){return Ea(t),n=ts(e,t,n,r,void 0,i),r=as(),e!==null&&!jc?(os(e,t,i),sl(e,t,i)):(L&&r&&ia(t),t.flags|=1,Mc(e,t,n,i),t.child)}function Wc(e,t,n,r,i,a){return Ea(t),t.updateQueue=null,n=rs(t,r,n,i),ns(e),r=as(),e!==null&&!jc?(os(e,t,a),sl(e,t,a)):(L&&r&&ia(t),t.flags|=1,Mc(e,t,n,a),t.child)}function Gc(e,t,n,r,i){if(Ea(t),t.stateNode===null){var a=Li,o=n.contextType;typeof o==`object`&&o&&(a=Da(o)),a=new n(r,a),t.memoizedState=a.state!==null&&a.state!==void 0?a.state:null,a.updater=_c,t.stateNode=a,a._reactInternals=t,a=t.stateNode,a.props=r,a.state=t.memoizedState,a.refs={},_o(t),o=n.contextType,a.context=typeof o==`object`&&o?Da(o):Li,a.state=t.memoizedState,o=n.getDerivedStateFromProps,typeof o==`function`&&(gc(t,n,o,r),a.state=t.memoizedState),typeof n.getDerivedStateFromProps==`function`||typeof a.getSnapshotBeforeUpdate==`function`||typeof a.UNSAFE_componentWillMount!=`function`&&typeof a.componentWillMount!=`function`||(o=a.state,typeof a.componentWillMount==`function`&&a.componentWillMount(),typeof a.UNSAFE_componentWillMount==`function`&&a.UNSAFE_componentWillMount(),o!==a.state&&_c.enqueueReplaceState(a,a.state,null),To(t,r,a,i),wo(),a.state=t.memoizedState),typeof a.componentDidMount==`function`&&(t.flags|=4194308),r=!0}else if(e===null){a=t.stateNode;var s=t.memoizedProps,c=bc(n,s);a.props=c;var l=a.context,u=n.contextType;o=Li,typeof u==`object`&&u&&(o=Da(u));var d=n.getDerivedStateFromProps;u=typeof d==`function`||typeof a.getSnapshotBeforeUpdate==`function`,s=t.pendingProps!==s,u||typeof a.UNSAFE_componentWillReceiveProps!=`function`&&typeof a.componentWillReceiveProps!=`function`||(s||l!==o)&&yc(t,a,r,o),go=!1;var f=t.memoizedState;a.state=f,To(t,r,a,i),wo(),l=t.memoizedState,s||f!==l||go?(typeof d==`function`&&(gc(t,n,d,r),l=t.memoizedState),(c=go||vc(t,n,c,r,f,l,o))?(u||typeof a.UNSAFE_componentWillMount!=`function`&&typeof a.componentWillMount!=`function`||(typeof a.componentWillMount==`function`&&a.componentWillMount(),typeof a.UNSAFE_componentWillMount==`function`&&a.UNSAFE_componentWillMount()),typeof a.componentDidMount==`function`&&(t.flags|=4194308)):(typeof a.componentDidMount==`function`&&(t.flags|=4194308),t.memoizedProps=r,t.memoizedState=l),a.props=r,a.state=l,a.context=o,r=c):(typeof a.componentDidMount==`function`&&(t.flags|=4194308),r=!1)}else{a=t.stateNode,vo(e,t),o=t.memoizedProps,u=bc(n,o),a.props=u,d=t.pendingProps,f=a.context,l=n.contextType,c=Li,typeof l==`object`&&l&&(c=Da(l)),s=n.getDerivedStateFromProps,(l=typeof s==`function`||typeof a.getSnapshotBeforeUpdate==`function`)||typeof a.UNSAFE_componentWillReceiveProps!=`function`&&typeof a.componentWillReceiveProps!=`function`||(o!==d||f!==c)&&yc(t,a,r,c),go=!1,f=t.memoizedState,a.state=f,To(t,r,a,i),wo();var p=t.memoizedState;o!==d||f!==p||go||e!==null&&e.dependencies!==null&&Ta(e.dependencies)?(typeof s==`function`&&(gc(t,n,s,r),p=t.memoizedState),(u=go||vc(t,n,u,r,f,p,c)||e!==null&&e.dependencies!==null&&Ta(e.dependencies))?(l||typeof a.UNSAFE_componentWillUpdate!=`function`&&typeof a.componentWillUpdate!=`function`||(typeof a.componentWillUpdate==`function`&&a.componentWillUpdate(r,p,c),typeof a.UNSAFE_componentWillUpdate==`function`&&a.UNSAFE_componentWillUpdate(r,p,c)),typeof a.componentDidUpdate==`function`&&(t.flags|=4),typeof a.getSnapshotBeforeUpdate==`function`&&(t.flags|=1024)):(typeof a.componentDidUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=4),typeof a.getSnapshotBeforeUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=1024),t.memoizedProps=r,t.memoizedState=p),a.props=r,a.state=p,a.context=c,r=u):(typeof a.componentDidUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=4),typeof a.getSnapshotBeforeUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=1024),r=!1)}return a=r,Hc(e,t),r=!!(t.flags&128),a||r?(a=t.stateNode,n=r&&typeof n.getDerivedStateFromError!=`function`?null:a.render(),t.flags|=1,e!==null&&r?(t.child=mo(t,e.child,null,i),t.child=mo(t,null,n,i)):Mc(e,t,n,i),t.memoizedState=a.state,e=t.child):e=sl(e,t,i),e}function Kc(e,t,n,r){return ma(),t.flags|=256,Mc(e,t,n,r),t.child}var qc={dehydrated:null,treeContext:null,retryLane:0,hydrationErrors:null};function Jc(e){return{baseLanes:e,cachePool:Xa()}}function Yc(e,t,n){return e=e===null?0:e.childLanes&~n,t&&(e|=ld),e}function Xc(e,t,n){var r=t.pendingProps,i=!1,a=!!(t.flags&128),o;if((o=a)||(o=e!==null&&e.memoizedState===null?!1:!!(Bo.current&2)),o&&(i=!0,t.flags&=-129),o=!!(t.flags&32),t.flags&=-33,e===null){if(L){if(i?Fo(t):Ro(),(e=I)?(e=am(e,ca),e=e!==null&&e.data!==`&`?e:null,e!==null&&(t.memoizedState={dehydrated:e,treeContext:$i===null?null:{id:ea,overflow:ta},retryLane:536870912,hydrationErrors:null},n=Ki(e),n.return=t,t.child=n,sa=t,I=null)):e=null,e===null)throw ua(t);return t.lanes=sm(e)?32:536870912,null}return a=r.children,r=r.fallback,i?(Ro(),i=t.mode,a=Qc({mode:`hidden`,children:a},i),r=Wi(r,i,n,null),a.return=t,r.return=t,a.sibling=r,t.child=a,r=t.child,r.memoizedState=Jc(n),r.childLanes=Yc(e,o,n),t.memoizedState=qc,Lc(null,r)):(Fo(t),Zc(t,a))}var s=e.memoizedState;if(s!==null){var c=s.dehydrated;if(c!==null)return el(e,t,a,o,r,c,s,n)}return i?(Ro(),i=r.fallback,a=t.mode,s=e.child,c=s.sibling,r=Vi(s,{mode:`hidden`,children:r.children}),r.subtreeFlags=s.subtreeFlags&1206910976,c===null?(i=Wi(i,a,n,null),i.flags|=2):i=Vi(c,i),i.return=t,r.return=t,r.sibling=i,t.child=r,Lc(null,r),r=t.child,i=e.child.memoizedState,i===null?i=Jc(n):(a=i.cachePool,a===null?a=Xa():(s=Na._currentValue,a=a.parent===s?a:{parent:s,pool:s}),i={baseLanes:i.baseLanes|n,cachePool:a}),r.memoizedState=i,r.childLanes=Yc(e,o,n),t.memoizedState=qc,Lc(e.child,r)):(Fo(t),n=e.child,e=n.sibling,n=Vi(n,{mode:`visible`,children:r.children}),n.return=t,n.sibling=null,e!==null&&(o=t.deletions,o===null?(t.deletions=[e],t.flags|=16):o.push(e)),t.child=n,t.memoizedState=null,n)}function Zc(e,t){return t=Qc({mode:`visible`,children:t},e.mode),t.return=e,e.child=t}function Qc(e,t){return e=zi(22,e,null,t),e.lanes=0,e}function $c(e,t,n){return mo(t,e.child,null,n),e=Zc(t,t.pendingProps.children),e.flags|=2,t.memoizedState=null,e}function el(e,t,n,r,a,o,s,c){if(n)return t.flags&256?(Fo(t),t.flags&=-257,$c(e,t,c)):t.memoizedState===null?(Ro(),o=a.fallback,s=t.mode,a=Qc({mode:`visible`,children:a.children},s),o=Wi(o,s,c,null),o.flags|=2,a.return=t,o.return=t,a.sibling=o,t.child=a,mo(t,e.child,null,c),a=t.child,a.memoizedState=Jc(c),a.childLanes=Yc(e,r,c),t.memoizedState=qc,Lc(null,a)):(Ro(),t.child=e.child,t.flags|=128,null);if(Fo(t),sm(o)){if(r=o.nextSibling&&o.nextSibling.dataset,r)var l=r.dgst;return r=l,r!==``&&(a=Error(i(419)),a.stack=``,a.digest=r,ga({value:a,source:null,stack:null})),$c(e,t,c)}if(jc||wa(e,t,c,!1),r=(c&e.childLanes)!==0,jc||r){if(Oo.current!==null)return $c(e,t,c);if(r=$u,r!==null&&(a=Tt(r,c),a!==0&&a!==s.retryLane))throw s.retryLane=a,Pi(e,a),Pd(r,e,a),Ac;return om(o)||Kd(),$c(e,t,c)}return om(o)?(t.flags|=192,t.child=e.child,null):(e=s.treeContext,I=lm(o.nextSibling),sa=t,L=!0,R=null,ca=!1,e!==null&&oa(t,e),t=Zc(t,a.children),t.flags|=134221824,t)}function tl(e,t,n){e.lanes|=t;var r=e.alternate;r!==null&&(r.lanes|=t),Sa(e.return,t,n)}function nl(e){for(var t=null;e!==null;){var n=e.alternate;n!==null&&Uo(n)===null&&(t=e),e=e.sibling}return t}function rl(e,t,n,r,i,a){var o=e.memoizedState;o===null?e.memoizedState={isBackwards:t,rendering:null,renderingStartTime:0,last:r,tail:n,tailMode:i,treeForkCount:a}:(o.isBackwards=t,o.rendering=null,o.renderingStartTime=0,o.last=r,o.tail=n,o.tailMode=i,o.treeForkCount=a)}function il(e){var t=e.child;for(e.child=null;t!==null;){var n=t.sibling;t.sibling=e.child,e.child=t,t=n}}function al(e,t,n){var r=t.pendingProps,i=r.revealOrder,a=r.tail;r=r.children;var o=Bo.current;if(t.flags&128)return Vo(t,o),null;var s=!!(o&2);if(s?(o=o&1|2,t.flags|=128):o&=1,Vo(t,o),i===`backwards`&&e!==null?(il(e),Mc(e,t,r,n),il(e)):Mc(e,t,r,n),r=L?N:0,!s&&e!==null&&e.flags&128)a:for(e=t.child;e!==null;){if(e.tag===13)e.memoizedState!==null&&tl(e,n,t);else if(e.tag===19)tl(e,n,t);else if(e.child!==null){e.child.return=e,e=e.child;continue}if(e===t)break a;for(;e.sibling===null;){if(e.return===null||e.return===t)break a;e=e.return}e.sibling.return=e.return,e=e.sibling}switch(i){case`backwards`:n=nl(t.child),n===null?(i=t.child,t.child=null):(i=n.sibling,n.sibling=null,il(t)),rl(t,!0,i,null,a,r);break;case`unstable_legacy-backwards`:for(n=null,i=t.child,t.child=null;i!==null;){if(e=i.alternate,e!==null&&Uo(e)===null){t.child=i;break}e=i.sibling,i.sibling=n,n=i,i=e}rl(t,!0,n,null,a,r);break;case`together`:rl(t,!1,null,null,void 0,r);break;case`independent`:t.memoizedState=null;break;default:n=nl(t.child),n===null?(i=t.child,t.child=null):(i=n.sibling,n.sibling=null),rl(t,!1,i,n,a,r)}return t.child}function ol(e,t,n){var r=t.pendingProps;return ba(t,t.type,r.value),Mc(e,t,r.children,n),t.child}function sl(e,t,n){if(e!==null&&(t.dependencies=e.dependencies),od|=t.lanes,(n&t.childLanes)===0){if(e!==null){if(wa(e,t,n,!1),(n&t.childLanes)===0)return null}else return null}if(e!==null&&t.child!==e.child)throw Error(i(153));if(t.child!==null){for(e=t.child,n=Vi(e,e.pendingProps),t.child=n,n.return=t;e.sibling!==null;)e=e.sibling,n=n.sibling=Vi(e,e.pendingProps),n.return=t;n.sibling=null}return t.child}function cl(e,t){return(e.lanes&t)!==0||(e=e.dependencies,!!(e!==null&&Ta(e)))}function ll(e,t,n){switch(t.tag){case 3:Ne(t,t.stateNode.containerInfo),ba(t,Na,e.memoizedState.cache),ma();break;case 27:case 5:Fe(t);break;case 4:Ne(t,t.stateNode.containerInfo);break;case 10:ba(t,t.type,t.memoizedProps.value);break;case 31:if(t.memoizedState!==null)return t.flags|=128,Io(t),null;break;case 13:var r=t.memoizedState;if(r!==null){if(r.dehydrated!==null)return Fo(t),t.flags|=128,null;r=wa(e,t,n,!1);var i=t.child.childLanes;return r||(n&i)!==0?Xc(e,t,n):(Fo(t),e=sl(e,t,n),e===null?null:e.sibling)}Fo(t);break;case 19:if(t.flags&128)return al(e,t,n);if(i=!!(e.flags&128),r=(n&t.childLanes)!==0,r||=(wa(e,t,n,!1),(n&t.childLanes)!==0),i){if(r)return al(e,t,n);t.flags|=128}if(i=t.memoizedState,i!==null&&(i.rendering=null,i.tail=null,i.lastEffect=null),Vo(t,Bo.current),r)break;return null;case 22:return t.lanes=0,Ic(e,t,n,t.pendingProps);case 24:ba(t,Na,e.memoizedState.cache)}return sl(e,t,n)}function ul(e,t,n){if(e!==null){if(e.memoizedProps!==t.pendingProps)jc=!0;else{if(!cl(e,n)&&!(t.flags&128))return jc=!1,ll(e,t,n);jc=!!(e.flags&131072)}}else jc=!1,L&&t.flags&1048576&&ra(t,N,t.index);switch(t.lanes=0,t.tag){case 16:a:{var r=t.pendingProps;if(e=ro(t.elementType),t.type=e,typeof e==`function`)Bi(e)?(r=bc(e,r),t.tag=1,t=Gc(null,t,e,r,n)):(t.tag=0,t=Uc(null,t,e,r,n));else{if(e!=null){var a=e.$$typeof;if(a===ue){t.tag=11,t=Nc(null,t,e,r,n);break a}if(a===pe){t.tag=14,t=Pc(null,t,e,r,n);break a}if(a===le){t.tag=10,t.type=e,t=ol(null,t,n);break a}}throw t=Ce(e)||e,Error(i(306,t,``))}}return t;case 0:return Uc(e,t,t.type,t.pendingProps,n);case 1:return r=t.type,a=bc(r,t.pendingProps),Gc(e,t,r,a,n);case 3:a:{if(Ne(t,t.stateNode.containerInfo),e===null)throw Error(i(387));r=t.pendingProps;var o=t.memoizedState;a=o.element,vo(e,t),To(t,r,null,n);var s=t.memoizedState;if(r=s.cache,ba(t,Na,r),r!==o.cache&&Ca(t,[Na],n,!0),wo(),r=s.element,o.isDehydrated){if(o={element:r,isDehydrated:!1,cache:s.cache},t.updateQueue.baseState=o,t.memoizedState=o,t.flags&256){t=Kc(e,t,r,n);break a}if(r!==a){a=Yi(Error(i(424)),t),ga(a),t=Kc(e,t,r,n);break a}switch(e=t.stateNode.containerInfo,e.nodeType){case 9:e=e.body;break;default:e=e.nodeName===`HTML`?e.ownerDocument.body:e}for(I=lm(e.firstChild),sa=t,L=!0,R=null,ca=!0,n=ho(t,null,r,n),t.child=n;n;)n.flags=n.flags&-3|134221824,n=n.sibling}else{if(ma(),r===a){t=sl(e,t,n);break a}Mc(e,t,r,n)}t=t.child}return t;case 26:return Hc(e,t),e===null?(n=Nm(t.type,null,t.pendingProps,null))?t.memoizedState=n:L||(t.stateNode=fp(t.type,t.pendingProps,je.current,t)):t.memoizedState=Nm(t.type,e.memoizedProps,t.pendingProps,e.memoizedState),null;case 27:return Fe(t),e===null&&L&&(r=t.stateNode=hm(t.type,t.pendingProps,je.current),sa=t,ca=!0,a=I,Sp(t.type)?(um=a,I=lm(r.firstChild)):I=a),Mc(e,t,t.pendingProps.children,n),Hc(e,t),e===null&&(t.flags|=4194304),t.child;case 5:return e===null&&L&&((a=r=I)&&(r=rm(r,t.type,t.pendingProps,ca),r===null?a=!1:(t.stateNode=r,sa=t,I=lm(r.firstChild),ca=!1,a=!0)),a||ua(t)),Fe(t),a=t.type,o=t.pendingProps,s=e===null?null:e.memoizedProps,r=o.children,pp(a,o)?r=null:s!==null&&pp(a,s)&&(t.flags|=32),t.memoizedState!==null&&(a=ts(e,t,is,null,null,n),sh._currentValue=a),Hc(e,t),Mc(e,t,r,n),t.child;case 6:return e===null&&L&&((e=n=I)&&(n=im(n,t.pendingProps,ca),n===null?e=!1:(t.stateNode=n,sa=t,I=null,e=!0)),e||ua(t)),null;case 13:return Xc(e,t,n);case 4:return Ne(t,t.stateNode.containerInfo),r=t.pendingProps,e===null?t.child=mo(t,null,r,n):Mc(e,t,r,n),t.child;case 11:return Nc(e,t,t.type,t.pendingProps,n);case 7:return r=t.pendingProps,Hc(e,t),Mc(e,t,r,n),t.child;case 8:return Mc(e,t,t.pendingProps.children,n),t.child;case 12:return Mc(e,t,t.pendingProps.children,n),t.child;case 10:return ol(e,t,n);case 9:return a=t.type._context,r=t.pendingProps.children,Ea(t),a=Da(a),r=r(a),t.flags|=1,Mc(e,t,r,n),t.child;case 14:return Pc(e,t,t.type,t.pendingProps,n);case 15:return Fc(e,t,t.type,t.pendingProps,n);case 19:return al(e,t,n);case 31:return Vc(e,t,n);case 22:return Ic(e,t,n,t.pendingProps);case 24:return Ea(t),r=Da(Na),e===null?(a=Ja(),a===null&&(a=$u,o=Pa(),a.pooledCache=o,o.refCount++,o!==null&&(a.pooledCacheLanes|=n),a=o),t.memoizedState={parent:r,cache:a},_o(t),ba(t,Na,a)):((e.lanes&n)!==0&&(vo(e,t),To(t,null,null,n),wo()),a=e.memoizedState,o=t.memoizedState,a.parent===r?(r=o.cache,ba(t,Na,r),r!==a.cache&&Ca(t,[Na],n,!0)):(a={parent:r,cache:r},t.memoizedState=a,t.lanes===0&&(t.memoizedState=t.updateQueue.baseState=a),ba(t,Na,r))),Mc(e,t,t.pendingProps.children,n),t.child;case 30:return t.stateNode===null&&(t.stateNode={autoName:null,paired:null,clones:null,ref:null}),r=t.pendingProps,r.name!=null&&r.name!==`auto`?t.flags|=e===null?18882560:18874368:L&&ia(t),e!==null&&e.memoizedProps.name!==r.name?t.flags|=4194816:Hc(e,t),Mc(e,t,r.children,n),t.child;case 29:throw t.pendingProps}throw Error(i(156,t.tag))}function dl(e){e.flags|=4}function fl(e,t,n,r,i){var a;if((a=!!(e.mode&32))&&(a=n===null?Jm(t,r):Jm(t,r)&&(r.src!==n.src||r.srcSet!==n.srcSet)),a){if(e.flags|=16777216,(i&335544128)===i){if(e.stateNode.complete)e.flags|=8192;else if(Ud())e.flags|=8192;else throw io=eo,Qa}}else e.flags&=-16777217}function pl(e,t){if(t.type!==`stylesheet`||t.state.loading&4)e.flags&=-16777217;else if(e.flags|=16777216,!Ym(t)){if(Ud())e.flags|=8192;else throw io=eo,Qa}}function ml(e,t){t!==null&&(e.flags|=4),e.flags&16384&&(t=e.tag===22?536870912:yt(),e.lanes|=t,ud|=t)}function hl(e,t){if(!L)switch(e.tailMode){case`visible`:break;case`collapsed`:for(var n=e.tail,r=null;n!==null;)n.alternate!==null&&(r=n),n=n.sibling;r===null?t||e.tail===null?e.tail=null:e.tail.sibling=null:r.sibling=null;break;default:for(t=e.tail,n=null;t!==null;)t.alternate!==null&&(n=t),t=t.sibling;n===null?e.tail=null:n.sibling=null}}function gl(e){var t=e.alternate!==null&&e.alternate.child===e.child,n=0,r=0;if(t)for(var i=e.child;i!==null;)n|=i.lanes|i.childLanes,r|=i.subtreeFlags&1206910976,r|=i.flags&1206910976,i.return=e,i=i.sibling;else for(i=e.child;i!==null;)n|=i.lanes|i.childLanes,r|=i.subtreeFlags,r|=i.flags,i.return=e,i=i.sibling;return e.subtreeFlags|=r,e.childLanes=n,t}function _l(e,t,n){var r=t.pendingProps;switch(aa(t),t.tag){case 16:case 15:case 0:case 11:case 7:case 8:case 12:case 9:case 14:return gl(t),null;case 1:return gl(t),null;case 3:return n=t.stateNode,r=null,e!==null&&(r=e.memoizedState.cache),t.memoizedState.cache!==r&&(t.flags|=2048),xa(Na),Pe(),n.pendingContext&&(n.context=n.pendingContext,n.pendingContext=null),(e===null||e.child===null)&&(pa(t)?dl(t):e===null||e.memoizedState.isDehydrated&&!(t.flags&256)||(t.flags|=1024,ha())),gl(t),null;case 26:var a=t.type,o=t.memoizedState;return e===null?(dl(t),o===null?(gl(t),fl(t,a,null,r,n)):(gl(t),pl(t,o))):o?o===e.memoizedState?(gl(t),t.flags&=-16777217):(dl(t),gl(t),pl(t,o)):(e=e.memoizedProps,e!==r&&dl(t),gl(t),fl(t,a,e,r,n)),null;case 27:if(Ie(t),n=je.current,a=t.type,e!==null&&t.stateNode!=null)e.memoizedProps!==r&&dl(t);else{if(!r){if(t.stateNode===null)throw Error(i(166));return gl(t),t.subtreeFlags&=-33554433,null}e=ke.current,pa(t)?da(t,e):(e=hm(a,r,n),t.stateNode=e,dl(t))}return gl(t),t.subtreeFlags&=-33554433,null;case 5:if(Ie(t),a=t.type,e!==null&&t.stateNode!=null)e.memoizedProps!==r&&dl(t);else{if(!r){if(t.stateNode===null)throw Error(i(166));return gl(t),t.subtreeFlags&=-33554433,null}if(o=ke.current,pa(t))da(t,o);else{var s=lp(je.current);switch(o){case 1:o=s.createElementNS(`http://www.w3.org/2000/svg`,a);break;case 2:o=s.createElementNS(`http://www.w3.org/1998/Math/MathML`,a);break;default:switch(a){case`svg`:o=s.createElementNS(`http://www.w3.org/2000/svg`,a);break;case`math`:o=s.createElementNS(`http://www.w3.org/1998/Math/MathML`,a);break;case`script`:o=s.createElement(`div`),o.innerHTML=`<script><\/script>`,o=o.removeChild(o.firstChild);break;case`select`:o=typeof r.is==`string`?s.createElement(`select`,{is:r.is}):s.createElement(`select`),r.multiple?o.multiple=!0:r.size&&(o.size=r.size);break;default:o=typeof r.is==`string`?s.createElement(a,{is:r.is}):s.createElement(a)}}o[jt]=t,o[Mt]=r;a:for(s=t.child;s!==null;){if(s.tag===5||s.tag===6)o.appendChild(s.stateNode);else if(s.tag!==4&&s.tag!==27&&s.child!==null){s.child.return=s,s=s.child;continue}if(s===t)break a;for(;s.sibling===null;){if(s.return===null||s.return===t)break a;s=s.return}s.sibling.return=s.return,s=s.sibling}t.stateNode=o;a:switch(np(o,a,r),a){case`button`:case`input`:case`select`:case`textarea`:r=!!r.autoFocus;break a;case`img`:r=!0;break a;default:r=!1}r&&dl(t)}}return gl(t),t.subtreeFlags&=-33554433,fl(t,t.type,e===null?null:e.memoizedProps,t.pendingProps,n),null;case 6:if(e&&t.stateNode!=null)e.memoizedProps!==r&&dl(t);else{if(typeof r!=`string`&&t.stateNode===null)throw Error(i(166));if(e=je.current,pa(t)){if(e=t.stateNode,n=t.memoizedProps,r=null,a=sa,a!==null)switch(a.tag){case 27:case 5:r=a.memoizedProps}e[jt]=t,e=!!(e.nodeValue===n||r!==null&&!0===r.suppressHydrationWarning||ep(e.nodeValue,n)),e||ua(t,!0)}else e=lp(e).createTextNode(r),e[jt]=t,t.stateNode=e}return gl(t),null;case 31:if(n=t.memoizedState,e===null||e.memoizedState!==null){if(r=pa(t),n!==null){if(e===null){if(!r)throw Error(i(318));if(e=t.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(i(557));e[jt]=t}else ma(),!(t.flags&128)&&(t.memoizedState=null),t.flags|=4;gl(t),e=!1}else n=ha(),e!==null&&e.memoizedState!==null&&(e.memoizedState.hydrationErrors=n),e=!0;if(!e)return t.flags&256?(zo(t),t):(zo(t),null);if(t.flags&128)throw Error(i(558))}return gl(t),null;case 13:if(r=t.memoizedState,e===null||e.memoizedState!==null&&e.memoizedState.dehydrated!==null){if(a=pa(t),r!==null&&r.dehydrated!==null){if(e===null){if(!a)throw Error(i(318));if(a=t.memoizedState,a=a===null?null:a.dehydrated,!a)throw Error(i(317));a[jt]=t}else ma(),!(t.flags&128)&&(t.memoizedState=null),t.flags|=4;gl(t),a=!1}else a=ha(),e!==null&&e.memoizedState!==null&&(e.memoizedState.hydrationErrors=a),a=!0;if(!a)return t.flags&256?(zo(t),t):(zo(t),null)}return zo(t),t.flags&128?(t.lanes=n,t):(n=r!==null,e=e!==null&&e.memoizedState!==null,n&&(r=t.child,a=null,r.alternate!==null&&r.alternate.memoizedState!==null&&r.alternate.memoizedState.cachePool!==null&&(a=r.alternate.memoizedState.cachePool.pool),o=null,r.memoizedState!==null&&r.memoizedState.cachePool!==null&&(o=r.memoizedState.cachePool.pool),o!==a&&(r.flags|=2048)),n!==e&&n&&(t.child.flags|=8192),ml(t,t.updateQueue),gl(t),null);case 4:return Pe(),e===null&&Wf(t.stateNode.containerInfo),t.flags|=67108864,gl(t),null;case 10:return xa(t.type),gl(t),null;case 19:if(Ho(t),r=t.memoizedState,r===null)return gl(t),null;if(a=!!(t.flags&128),o=r.rendering,o===null){if(a)hl(r,!1);else{if(ad!==0||e!==null&&e.flags&128)for(e=t.child;e!==null;){if(o=Uo(e),o!==null){for(t.flags|=128,hl(r,!1),e=o.updateQueue,t.updateQueue=e,ml(t,e),t.subtreeFlags=0,e=n,n=t.child;n!==null;)Hi(n,e),n=n.sibling;return Vo(t,Bo.current&1|2),L&&na(t,r.treeForkCount),t.child}e=e.sibling}r.tail!==null&&Ye()>gd&&(t.flags|=128,a=!0,hl(r,!1),t.lanes=4194304)}}else{if(!a){if(e=Uo(o),e!==null){if(t.flags|=128,a=!0,e=e.updateQueue,t.updateQueue=e,ml(t,e),hl(r,!0),r.tail===null&&r.tailMode!==`collapsed`&&r.tailMode!==`visible`&&!o.alternate&&!L)return gl(t),null}else 2*Ye()-r.renderingStartTime>gd&&n!==536870912&&(t.flags|=128,a=!0,hl(r,!1),t.lanes=4194304)}r.isBackwards?(o.sibling=t.child,t.child=o):(e=r.last,e===null?t.child=o:e.sibling=o,r.last=o)}if(r.tail!==null){e=r.tail;a:{for(n=e;n!==null;){if(n.alternate!==null){n=!1;break a}n=n.sibling}n=!0}return r.rendering=e,r.tail=e.sibling,r.renderingStartTime=Ye(),e.sibling=null,o=Bo.current,o=a?o&1|2:o&1,r.tailMode===`visible`||r.tailMode===`collapsed`||!n||L?Vo(t,o):(n=o,k(No,t),k(Bo,n),Po===null&&(Po=t)),L&&na(t,r.treeForkCount),e}return gl(t),null;case 22:case 23:return zo(t),Mo(),r=t.memoizedState!==null,e===null?r&&(t.flags|=8192):e.memoizedState!==null!==r&&(t.flags|=8192),r?n&536870912&&!(t.flags&128)&&(gl(t),t.subtreeFlags&6&&(t.flags|=8192)):gl(t),n=t.updateQueue,n!==null&&ml(t,n.retryQueue),n=null,e!==null&&e.memoizedState!==null&&e.memoizedState.cachePool!==null&&(n=e.memoizedState.cachePool.pool),r=null,t.memoizedState!==null&&t.memoizedState.cachePool!==null&&(r=t.memoizedState.cachePool.pool),r!==n&&(t.flags|=2048),e!==null&&Oe(qa),null;case 24:return n=null,e!==null&&(n=e.memoizedState.cache),t.memoizedState.cache!==n&&(t.flags|=2048),xa(Na),gl(t),null;case 25:return null;case 30:return t.flags|=33554432,gl(t),null}throw Error(i(156,t.tag))}function vl(e,t){switch(aa(t),t.tag){case 1:return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 3:return xa(Na),Pe(),e=t.flags,e&65536&&!(e&128)?(t.flags=e&-65537|128,t):null;case 26:case 27:case 5:return Ie(t),null;case 31:if(t.memoizedState!==null){if(zo(t),t.alternate===null)throw Error(i(340));ma()}return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 13:if(zo(t),e=t.memoizedState,e!==null&&e.dehydrated!==null){if(t.alternate===null)throw Error(i(340));ma()}return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 19:return Ho(t),e=t.flags,e&65536?(t.flags=e&-65537|128,e=t.memoizedState,e!==null&&(e.rendering=null,e.tail=null),t.flags|=4,t):null;case 4:return Pe(),null;case 10:return xa(t.type),null;case 22:case 23:return zo(t),Mo(),e!==null&&Oe(qa),e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 24:return xa(Na),null;case 25:return null;default:return null}}function yl(e,t){switch(aa(t),t.tag){case 3:xa(Na),Pe();break;case 26:case 27:case 5:Ie(t);break;case 4:Pe();break;case 31:t.memoizedState!==null&&zo(t);break;case 13:zo(t);break;case 19:Ho(t);break;case 10:xa(t.type);break;case 22:case 23:zo(t),Mo(),e!==null&&Oe(qa);break;case 24:xa(Na)}}function bl(e,t){try{var n=t.updateQueue,r=n===null?null:n.lastEffect;if(r!==null){var i=r.next;n=i;do{if((n.tag&e)===e){r=void 0;var a=n.create,o=n.inst;r=a(),o.destroy=r}n=n.next}while(n!==i)}}catch(e){Z(t,t.return,e)}}function xl(e,t,n){try{var r=t.updateQueue,i=r===null?null:r.lastEffect;if(i!==null){var a=i.next;r=a;do{if((r.tag&e)===e){var o=r.inst,s=o.destroy;if(s!==void 0){o.destroy=void 0,i=t;var c=n,l=s;try{l()}catch(e){Z(i,c,e)}}}r=r.next}while(r!==a)}}catch(e){Z(t,t.return,e)}}function Sl(e){var t=e.updateQueue;if(t!==null){var n=e.stateNode;try{Do(t,n)}catch(t){Z(e,e.return,t)}}}function Cl(e,t,n){n.props=bc(e.type,e.memoizedProps),n.state=e.memoizedState;try{n.componentWillUnmount()}catch(n){Z(e,t,n)}}function wl(e,t){try{var n=e.ref;if(n!==null){switch(e.tag){case 26:case 27:case 5:var r=e.stateNode;break;case 30:var i=e.stateNode,a=wi(e.memoizedProps,i);(i.ref===null||i.ref.name!==a)&&(i.ref=Pp(a)),r=i.ref;break;case 7:if(e.stateNode===null){var o=new Fp(e);h(e.child,!1,Qp,o,void 0,void 0),e.stateNode=o}r=e.stateNode;break;default:r=e.stateNode}typeof n==`function`?e.refCleanup=n(r):n.current=r}}catch(n){Z(e,t,n)}}function Tl(e,t){var n=e.ref,r=e.refCleanup;if(n!==null){if(typeof r==`function`)try{r()}catch(n){Z(e,t,n)}finally{e.refCleanup=null,e=e.alternate,e!=null&&(e.refCleanup=null)}else if(typeof n==`function`)try{n(null)}catch(n){Z(e,t,n)}else n.current=null}}function El(e,t){if((e.tag===5||e.tag===27||e.tag===6)&&e.alternate===null&&t!==null)for(var n=0;n<t.length;n++)em(e.stateNode,t[n])}function Dl(e){for(var t=e.return;t!==null&&(Al(t)&&em(e.stateNode,t.stateNode),!kl(t));)t=t.return}function Ol(e){for(var t=e.return;t!==null&&(Al(t)&&tm(e.stateNode,t.stateNode),!kl(t));)t=t.return}function kl(e){return e.tag===5||e.tag===3||e.tag===27}function Al(e){return e&&e.tag===7&&e.stateNode!==null}function jl(e){var t=e.type,n=e.memoizedProps,r=e.stateNode;try{a:switch(t){case`button`:case`input`:case`select`:case`textarea`:n.autoFocus&&r.focus();break a;case`img`:n.src?r.src=n.src:n.srcSet&&(r.srcset=n.srcSet)}}catch(t){Z(e,e.return,t)}}function Ml(e,t,n){try{var r=e.stateNode;ip(r,e.type,n,t),r[Mt]=t}catch(t){Z(e,e.return,t)}}function Nl(e){return e.tag===5||e.tag===3||e.tag===26||e.tag===27&&Sp(e.type)||e.tag===4}function Pl(e){a:for(;;){for(;e.sibling===null;){if(e.return===null||Nl(e.return))return null;e=e.return}for(e.sibling.return=e.return,e=e.sibling;e.tag!==5&&e.tag!==6&&e.tag!==18;){if(e.tag===27&&Sp(e.type)||e.flags&2||e.child===null||e.tag===4)continue a;e.child.return=e,e=e.child}if(!(e.flags&2))return e.stateNode}}function Fl(e,t,n,r){var i=e.tag;if(i===5||i===6)i=e.stateNode,t?(n.nodeType===9?n.body:n.nodeName===`HTML`?n.ownerDocument.body:n).insertBefore(i,t):(t=n.nodeType===9?n.body:n.nodeName===`HTML`?n.ownerDocument.body:n,t.appendChild(i),n=n._reactRootContainer,n!=null||t.onclick!==null||(t.onclick=Dn)),El(e,r),A=!0;else if(i!==4&&(i===27&&(El(e,r),r=null,Sp(e.type)&&(n=e.stateNode,t=null)),e=e.child,e!==null))for(Fl(e,t,n,r),e=e.sibling;e!==null;)Fl(e,t,n,r),e=e.sibling}function Il(e,t,n,r){var i=e.tag;if(i===5||i===6)i=e.stateNode,t?n.insertBefore(i,t):n.appendChild(i),El(e,r),A=!0;else if(i!==4&&(i===27&&(El(e,r),r=null,Sp(e.type)&&(n=e.stateNode)),e=e.child,e!==null))for(Il(e,t,n,r),e=e.sibling;e!==null;)Il(e,t,n,r),e=e.sibling}function Ll(e){var t=e.stateNode,n=e.memoizedProps;try{for(var r=e.type,i=t.attributes;i.length;)t.removeAttributeNode(i[0]);np(t,r,n),t[jt]=e,t[Mt]=n}catch(t){Z(e,e.return,t)}}var Rl=!1,zl=null;function Bl(e){(e.tag===30||e.subtreeFlags&33554432)&&(Rl=!0)}var Vl=null;function Hl(){var e=Vl;return Vl=null,e}var Ul=0;function Wl(e,t,n,r,i){return Ul=0,Gl(e.child,t,n,r,i)}function Gl(e,t,n,r,i){for(var a=!1;e!==null;){if(e.tag===5){var o=e.stateNode;if(r!==null){var s=Op(o);r.push(s),s.view&&(a=!0)}else a||Op(o).view&&(a=!0);Rl=!0,Tp(o,Ul===0?t:t+`_`+Ul,n),Ul++}else e.tag===22&&e.memoizedState!==null||e.tag===30&&i||Gl(e.child,t,n,r,i)&&(a=!0);e=e.sibling}return a}function Kl(e,t){for(;e!==null;)e.tag===5?Ep(e.stateNode,e.memoizedProps):e.tag===22&&e.memoizedState!==null||e.tag===30&&t||Kl(e.child,t),e=e.sibling}function ql(e){if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if((e.tag!==22||e.memoizedState===null)&&(ql(e),e.tag===30&&e.flags&18874368&&e.stateNode.paired)){var t=e.memoizedProps;if(t.name==null||t.name===`auto`)throw Error(i(544));var n=t.name;t=Ei(t.default,t.share),t!==`none`&&(Wl(e,n,t,null,!1)||Kl(e.child,!1))}e=e.sibling}}function Jl(e,t){if(e.tag===30){var n=e.stateNode,r=e.memoizedProps,i=wi(r,n),a=Ei(r.default,n.paired?r.share:r.enter);a===`none`?ql(e):Wl(e,i,a,null,!1)?(ql(e),n.paired||t||Nd(e,r.onEnter)):Kl(e.child,!1)}else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)Jl(e,t),e=e.sibling;else ql(e)}function Yl(e){if(zl!==null&&zl.size!==0){var t=zl;if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if(e.tag!==22||e.memoizedState===null){if(e.tag===30&&e.flags&18874368){var n=e.memoizedProps,r=n.name;if(r!=null&&r!==`auto`){var i=t.get(r);if(i!==void 0){var a=Ei(n.default,n.share);if(a!==`none`&&(Wl(e,r,a,null,!1)?(a=e.stateNode,i.paired=a,a.paired=i,Nd(e,n.onShare)):Kl(e.child,!1)),t.delete(r),t.size===0)break}}}Yl(e)}e=e.sibling}}}function Xl(e){if(e.tag===30){var t=e.memoizedProps,n=wi(t,e.stateNode),r=zl===null?void 0:zl.get(n),i=Ei(t.default,r===void 0?t.exit:t.share);i!==`none`&&(Wl(e,n,i,null,!1)?r===void 0?Nd(e,t.onExit):(i=e.stateNode,r.paired=i,i.paired=r,zl.delete(n),Nd(e,t.onShare)):Kl(e.child,!1)),zl!==null&&Yl(e)}else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)Xl(e),e=e.sibling;else zl!==null&&Yl(e)}function Zl(e){for(e=e.child;e!==null;){if(e.tag===30){var t=e.memoizedProps,n=wi(t,e.stateNode);t=Ei(t.default,t.update),e.flags&=-5,t!==`none`&&Wl(e,n,t,e.memoizedState=[],!1)}else e.subtreeFlags&33554432&&Zl(e);e=e.sibling}}function Ql(e){if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if(e.tag!==22||e.memoizedState===null){if(e.tag===30&&e.flags&18874368){var t=e.stateNode;t.paired!==null&&(t.paired=null,Kl(e.child,!1))}Ql(e)}e=e.sibling}}function $l(e){if(e.tag===30)e.stateNode.paired=null,Kl(e.child,!1),Ql(e);else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)$l(e),e=e.sibling;else Ql(e)}function eu(e){for(e=e.child;e!==null;)e.tag===30?Kl(e.child,!1):e.subtreeFlags&33554432&&eu(e),e=e.sibling}function tu(e,t,n,r,i,a,o){for(var s=!1;t!==null;){if(t.tag===5){var c=t.stateNode;if(a!==null&&Ul<a.length){var l=a[Ul],u=Op(c);(l.view||u.view)&&(s=!0);var d;if(d=!(e.flags&4)){if(u.clip)d=!0;else{d=l.rect;var f=u.rect;d=d.y!==f.y||d.x!==f.x||d.height!==f.height||d.width!==f.width}}d&&(e.flags|=4),u.abs?u=!l.abs:(l=l.rect,u=u.rect,u=l.height!==u.height||l.width!==u.width),u&&(e.flags|=32)}else e.flags|=32;e.flags&4&&Tp(c,Ul===0?n:n+`_`+Ul,i),s&&e.flags&4||(Vl===null&&(Vl=[]),Vl.push(c,Ul===0?r:r+`_`+Ul,t.memoizedProps)),Ul++}else(t.tag!==22||t.memoizedState===null)&&(t.tag===30&&o?e.flags|=t.flags&32:tu(e,t.child,n,r,i,a,o)&&(s=!0));t=t.sibling}return s}function nu(e,t){for(e=e.child;e!==null;){if(e.tag===30){var n=e.memoizedProps,r=e.stateNode,i=wi(n,r),a=Ei(n.default,n.update);if(t){r=r.clones;var o=r===null?null:r.map(kp)}else o=e.memoizedState,e.memoizedState=null;r=e;var s=e.child;Ul=0,i=tu(r,s,i,i,a,o,!1),e.flags&4&&i&&(t||Nd(e,n.onUpdate))}else e.subtreeFlags&33554432&&nu(e,t);e=e.sibling}}var ru=!1,K=!1,iu=!1,au=!1,ou=typeof WeakSet==`function`?WeakSet:Set,su=null,cu=!1,lu=!1,uu=!1,du=!1;function fu(e,t,n){if(e=e.containerInfo,sp=gh,e=ti(e),ni(e)){if(`selectionStart`in e)var r={start:e.selectionStart,end:e.selectionEnd};else a:{r=(r=e.ownerDocument)&&r.defaultView||window;var i=r.getSelection&&r.getSelection();if(i&&i.rangeCount!==0){r=i.anchorNode;var a=i.anchorOffset,o=i.focusNode;i=i.focusOffset;try{r.nodeType,o.nodeType}catch{r=null;break a}var s=0,c=-1,l=-1,u=0,d=0,f=e,p=null;b:for(;;){for(var m;f!==r||a!==0&&f.nodeType!==3||(c=s+a),f!==o||i!==0&&f.nodeType!==3||(l=s+i),f.nodeType===3&&(s+=f.nodeValue.length),(m=f.firstChild)!==null;)p=f,f=m;for(;;){if(f===e)break b;if(p===r&&++u===a&&(c=s),p===o&&++d===i&&(l=s),(m=f.nextSibling)!==null)break;f=p,p=f.parentNode}f=m}r=c===-1||l===-1?null:{start:c,end:l}}else r=null}r||={start:0,end:0}}else r=null;for(cp={focusedElem:e,selectionRange:r},gh=!1,n=(n&335544064)===n,su=t,t=n?9270:1024;su!==null;){if(e=su,n&&(r=e.deletions,r!==null))for(a=0;a<r.length;a++)n&&Xl(r[a]);if(e.alternate===null&&e.flags&2)n&&Bl(e),pu(n);else{if(e.tag===22){if(r=e.alternate,e.memoizedState!==null){r!==null&&r.memoizedState===null&&n&&Xl(r),pu(n);continue}if(r!==null&&r.memoizedState!==null){n&&Bl(e),pu(n);continue}}r=e.child,(e.subtreeFlags&t)!==0&&r!==null?(r.return=e,su=r):(n&&Zl(e),pu(n))}}zl=null}function pu(e){for(;su!==null;){var t=su,n=e,r=t.alternate,a=t.flags;switch(t.tag){case 0:case 11:case 15:break;case 1:if(a&1024&&r!==null){n=void 0,a=r.memoizedProps,r=r.memoizedState;var o=t.stateNode;try{var s=bc(t.type,a);n=o.getSnapshotBeforeUpdate(s,r),o.__reactInternalSnapshotBeforeUpdate=n}catch(e){Z(t,t.return,e)}}break;case 3:if(a&1024){if(r=t.stateNode.containerInfo,n=r.nodeType,n===9)nm(r);else if(n===1)switch(r.nodeName){case`HEAD`:case`HTML`:case`BODY`:nm(r);break;default:r.textContent=``}}break;case 5:case 26:case 27:case 6:case 4:case 17:break;case 30:n&&r!==null&&(n=wi(r.memoizedProps,r.stateNode),a=t.memoizedProps,a=Ei(a.default,a.update),a!==`none`&&Wl(r,n,a,r.memoizedState=[],!0));break;default:if(a&1024)throw Error(i(163))}if(r=t.sibling,r!==null){r.return=t.return,su=r;break}su=t.return}}function mu(e,t,n){var r=n.flags;switch(n.tag){case 0:case 11:case 15:Pu(e,n),r&4&&bl(5,n);break;case 1:if(Pu(e,n),r&4){if(e=n.stateNode,t===null)try{e.componentDidMount()}catch(e){Z(n,n.return,e)}else{var i=bc(n.type,t.memoizedProps);t=t.memoizedState;try{e.componentDidUpdate(i,t,e.__reactInternalSnapshotBeforeUpdate)}catch(e){Z(n,n.return,e)}}}r&64&&Sl(n),r&512&&wl(n,n.return);break;case 3:if(Pu(e,n),r&64&&(e=n.updateQueue,e!==null)){if(t=null,n.child!==null)switch(n.child.tag){case 27:case 5:t=n.child.stateNode;break;case 1:t=n.child.stateNode}try{Do(e,t)}catch(e){Z(n,n.return,e)}}break;case 27:t===null&&r&4&&Ll(n);case 26:case 5:Pu(e,n),t===null&&r&4&&jl(n),r&512&&wl(n,n.return);break;case 12:Pu(e,n);break;case 31:Pu(e,n),r&4&&Cu(e,n);break;case 13:Pu(e,n),r&4&&wu(e,n),r&64&&(e=n.memoizedState,e!==null&&(e=e.dehydrated,e!==null&&(n=_f.bind(null,n),cm(e,n))));break;case 22:if(r=n.memoizedState!==null||ru,!r){var a=t!==null&&t.memoizedState!==null||K;t=ru,i=K,ru=r,(K=a)&&!i?(r=2,n.subtreeFlags&8772&&(r|=1),Iu(e,n,r)):Pu(e,n),ru=t,K=i}break;case 30:Pu(e,n),r&512&&wl(n,n.return);break;case 7:r&512&&wl(n,n.return);default:Pu(e,n)}}function hu(e,t){for(e=e.child;e!==null;)gu(e,t),e=e.sibling}function gu(e,t){switch(e.tag){case 5:case 26:try{var n=e.stateNode;if(t){var r=n.style;typeof r.setProperty==`function`?r.setProperty(`display`,`none`,`important`):r.display=`none`}else{var i=e.stateNode,a=e.memoizedProps.style,o=a!=null&&a.hasOwnProperty(`display`)?a.display:null;i.style.display=o==null||typeof o==`boolean`?``:(``+o).trim()}}catch(t){Z(e,e.return,t)}_u(e,t);break;case 6:try{e.stateNode.nodeValue=t?``:e.memoizedProps,A=!0}catch(t){Z(e,e.return,t)}break;case 18:try{var s=e.stateNode;t?wp(s,!0):wp(e.stateNode,!1)}catch(t){Z(e,e.return,t)}break;case 22:case 23:e.memoizedState===null&&hu(e,t);break;default:hu(e,t)}}function _u(e,t){if(e.subtreeFlags&67108864)for(e=e.child;e!==null;){a:{var n=e,r=t;switch(n.tag){case 4:gu(n,r);break a;case 22:n.memoizedState===null&&_u(n,r);break a;default:_u(n,r)}}e=e.sibling}}function vu(e){var t=e.alternate;t!==null&&(e.alternate=null,vu(t)),e.child=null,e.deletions=null,e.sibling=null,e.tag===5&&(t=e.stateNode,t!==null&&Bt(t)),e.stateNode=null,e.return=null,e.dependencies=null,e.memoizedProps=null,e.memoizedState=null,e.pendingProps=null,e.stateNode=null,e.updateQueue=null}var yu=null,bu=!1;function xu(e,t,n){for(n=n.child;n!==null;)Su(e,t,n),n=n.sibling}function Su(e,t,n){if(at&&typeof at.onCommitFiberUnmount==`function`)try{at.onCommitFiberUnmount(it,n)}catch{}switch(n.tag){case 26:K||Tl(n,t),xu(e,t,n),n.memoizedState?n.memoizedState.count--:n.stateNode&&!K&&(n=n.stateNode,n.parentNode.removeChild(n));break;case 27:K||Tl(n,t),Ol(n);var r=yu,i=bu;Sp(n.type)&&(yu=n.stateNode,bu=!1),xu(e,t,n),gm(n.stateNode,n.type,n.memoizedProps),yu=r,bu=i;break;case 5:K||Tl(n,t),Ol(n);case 6:if(n.tag===6&&Ol(n),r=yu,i=bu,yu=null,xu(e,t,n),yu=r,bu=i,yu!==null){if(bu)try{(yu.nodeType===9?yu.body:yu.nodeName===`HTML`?yu.ownerDocument.body:yu).removeChild(n.stateNode),A=!0}catch(e){Z(n,t,e)}else try{yu.removeChild(n.stateNode),A=!0}catch(e){Z(n,t,e)}}break;case 18:yu!==null&&(bu?(e=yu,Cp(e.nodeType===9?e.body:e.nodeName===`HTML`?e.ownerDocument.body:e,n.stateNode),Hh(e)):Cp(yu,n.stateNode));break;case 4:r=yu,i=bu,yu=n.stateNode.containerInfo,bu=!0,xu(e,t,n),yu=r,bu=i;break;case 0:case 11:case 14:case 15:xl(2,n,t),K||xl(4,n,t),xu(e,t,n);break;case 1:K||(Tl(n,t),r=n.stateNode,typeof r.componentWillUnmount==`function`&&Cl(n,t,r)),xu(e,t,n);break;case 21:xu(e,t,n);break;case 22:K=(r=K)||n.memoizedState!==null,xu(e,t,n),K=r;break;case 30:Tl(n,t),xu(e,t,n);break;case 7:K||Tl(n,t),xu(e,t,n);break;default:xu(e,t,n)}}function Cu(e,t){if(t.memoizedState===null&&(e=t.alternate,e!==null&&(e=e.memoizedState,e!==null))){e=e.dehydrated;try{Hh(e)}catch(e){Z(t,t.return,e)}}}function wu(e,t){if(t.memoizedState===null&&(e=t.alternate,e!==null&&(e=e.memoizedState,e!==null&&(e=e.dehydrated,e!==null))))try{Hh(e)}catch(e){Z(t,t.return,e)}}function Tu(e){switch(e.tag){case 31:case 13:case 19:var t=e.stateNode;return t===null&&(t=e.stateNode=new ou),t;case 22:return e=e.stateNode,t=e._retryCache,t===null&&(t=e._retryCache=new ou),t;default:throw Error(i(435,e.tag))}}function Eu(e,t){var n=Tu(e);t.forEach(function(t){if(!n.has(t)){n.add(t);var r=vf.bind(null,e,t);t.then(r,r)}})}function Du(e,t,n){var r=t.deletions;if(r!==null)for(var a=0;a<r.length;a++){var o=r[a],s=e,c=t,l=c;a:for(;l!==null;){switch(l.tag){case 27:if(Sp(l.type)){yu=l.stateNode,bu=!1;break a}break;case 5:yu=l.stateNode,bu=!1;break a;case 3:case 4:yu=l.stateNode.containerInfo,bu=!0;break a}l=l.return}if(yu===null)throw Error(i(160));Su(s,c,o),yu=null,bu=!1,s=o.alternate,s!==null&&(s.return=null),o.return=null}if(t.subtreeFlags&13886)for(t=t.child;t!==null;)ku(t,e,n),t=t.sibling}var Ou=null;function ku(e,t,n){var r=e.alternate,a=e.flags;switch(e.tag){case 0:case 11:case 14:case 15:if(a&4&&(r=e.updateQueue,r=r===null?null:r.events,r!==null))for(var o=0;o<r.length;o++){var s=r[o];s.ref.impl=s.nextImpl}Du(t,e,n),Au(e),a&4&&(xl(3,e,e.return),bl(3,e),xl(5,e,e.return));break;case 1:Du(t,e,n),Au(e),a&512&&(K||r===null||Tl(r,r.return)),a&64&&ru&&(e=e.updateQueue,e!==null&&(t=e.callbacks,t!==null&&(n=e.shared.hiddenCallbacks,e.shared.hiddenCallbacks=n===null?t:n.concat(t))));break;case 26:if(o=Ou,Du(t,e,n),Au(e),a&512&&(K||r===null||Tl(r,r.return)),a&4){if(a=r===null?null:r.memoizedState,n=e.memoizedState,r===null){if(n===null){if(e.stateNode===null){if(ru)e.stateNode=fp(e.type,e.memoizedProps,t.containerInfo,e);else{a:{t=e.type,n=e.memoizedProps,a=o.ownerDocument||o;b:switch(t){case`title`:r=a.getElementsByTagName(`title`)[0],(!r||r[Rt]||r[jt]||r.namespaceURI===`http://www.w3.org/2000/svg`||r.hasAttribute(`itemprop`))&&(r=a.createElement(t),a.head.insertBefore(r,a.querySelector(`head > title`))),np(r,t,n),r[jt]=e,Gt(r),t=r;break a;case`link`:if(o=Gm(`link`,`href`,a).get(t+(n.href||``))){for(s=0;s<o.length;s++)if(r=o[s],r.getAttribute(`href`)===(n.href==null||n.href===``?null:n.href)&&r.getAttribute(`rel`)===(n.rel==null?null:n.rel)&&r.getAttribute(`title`)===(n.title==null?null:n.title)&&r.getAttribute(`crossorigin`)===(n.crossOrigin==null?null:n.crossOrigin)){o.splice(s,1);break b}}r=a.createElement(t),np(r,t,n),a.head.appendChild(r);break;case`meta`:if(o=Gm(`meta`,`content`,a).get(t+(n.content||``))){for(s=0;s<o.length;s++)if(r=o[s],r.getAttribute(`content`)===(n.content==null?null:``+n.content)&&r.getAttribute(`name`)===(n.name==null?null:n.name)&&r.getAttribute(`property`)===(n.property==null?null:n.property)&&r.getAttribute(`http-equiv`)===(n.httpEquiv==null?null:n.httpEquiv)&&r.getAttribute(`charset`)===(n.charSet==null?null:n.charSet)){o.splice(s,1);break b}}r=a.createElement(t),np(r,t,n),a.head.appendChild(r);break;default:throw Error(i(468,t))}r[jt]=e,Gt(r),t=r}e.stateNode=t}}else ru||Km(o,e.type,e.stateNode)}else e.stateNode=Bm(o,n,e.memoizedProps)}else a===n?n===null&&e.stateNode!==null&&Ml(e,e.memoizedProps,r.memoizedProps):(a===null?(t=r.stateNode,t===null||K||t.parentNode.removeChild(t)):a.count--,n===null?ru||Km(o,e.type,e.stateNode):Bm(o,n,e.memoizedProps))}break;case 27:Du(t,e,n),Au(e),a&512&&(K||r===null||Tl(r,r.return)),r!==null&&a&4&&Ml(e,e.memoizedProps,r.memoizedProps);break;case 5:if(o=iu,iu=!1,Du(t,e,n),iu=o,Au(e),a&512&&(K||r===null||Tl(r,r.return)),e.flags&32){t=e.stateNode;try{yn(t,``),A=!0}catch(t){Z(e,e.return,t)}}a&4&&e.stateNode!=null&&(t=e.memoizedProps,Ml(e,t,r===null?t:r.memoizedProps)),a&1024&&(au=!0);break;case 6:if(Du(t,e,n),Au(e),a&4){if(e.stateNode===null)throw Error(i(162));t=e.memoizedProps,n=e.stateNode;try{n.nodeValue=t,A=!0}catch(t){Z(e,e.return,t)}}break;case 3:if(A=!1,Wm=null,o=Ou,Ou=bm(t.containerInfo),Du(t,e,n),Ou=o,Au(e),a&4&&r!==null&&r.memoizedState.isDehydrated)try{Hh(t.containerInfo)}catch(t){Z(e,e.return,t)}au&&(au=!1,ju(e)),A=!1;break;case 4:a=iu,iu=ru,r=tn(),o=Ou,Ou=bm(e.stateNode.containerInfo),Du(t,e,n),Au(e),Ou=o,A&&lu&&(uu=!0),A=r,iu=a;break;case 12:Du(t,e,n),Au(e);break;case 31:Du(t,e,n),Au(e),a&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,Eu(e,t)));break;case 13:Du(t,e,n),Au(e),e.child.flags&8192&&e.memoizedState!==null!=(r!==null&&r.memoizedState!==null)&&(md=Ye()),a&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,Eu(e,t)));break;case 22:o=e.memoizedState!==null,s=r!==null&&r.memoizedState!==null;var c=ru,l=K,u=iu;ru=c||o,iu=u||o,K=l||s,Du(t,e,n),K=l,iu=u,ru=c,Au(e),a&8192&&(t=e.stateNode,t._visibility=o?t._visibility&-2:t._visibility|1,!o||r===null||s||ru||K||(t=s||K,n=ru,r=K,ru=o||ru,K=t,Fu(e,2),ru=n,K=r),!o&&iu||hu(e,o)),a&4&&(t=e.updateQueue,t!==null&&(n=t.retryQueue,n!==null&&(t.retryQueue=null,Eu(e,n))));break;case 19:Du(t,e,n),Au(e),a&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,Eu(e,t)));break;case 30:a&512&&(K||r===null||Tl(r,r.return)),a=tn(),o=lu,s=(n&335544064)===n,c=e.memoizedProps,lu=s&&Ei(c.default,c.update)!==`none`,Du(t,e,n),Au(e),s&&r!==null&&A&&(e.flags|=4),lu=o,A=a;break;case 21:break;case 7:a&512&&(K||r===null||Tl(r,r.return)),r&&r.stateNode!==null&&(r.stateNode._fragmentFiber=e);default:Du(t,e,n),Au(e)}}function Au(e){var t=e.flags;if(t&2){try{for(var n,r=e.return;r!==null;){if(Nl(r)){n=r;break}r=r.return}r=null;for(var a=e.return;a!==null;){if(Al(a)){var o=a.stateNode;r===null?r=[o]:r.push(o)}if(kl(a))break;a=a.return}var s=r;if(n==null)throw Error(i(160));switch(n.tag){case 27:var c=n.stateNode;Il(e,Pl(e),c,s);break;case 5:var l=n.stateNode;n.flags&32&&(yn(l,``),n.flags&=-33),Il(e,Pl(e),l,s);break;case 3:case 4:var u=n.stateNode.containerInfo;Fl(e,Pl(e),u,s);break;default:throw Error(i(161))}}catch(t){Z(e,e.return,t)}e.flags&=-3}t&4096&&(e.flags&=-4097)}function ju(e){if(e.subtreeFlags&1024)for(e=e.child;e!==null;){var t=e;ju(t),t.tag===5&&t.flags&1024&&(t=t.stateNode,gh=!0,t.reset(),gh=!1),e=e.sibling}}function Mu(e,t){if(t.subtreeFlags&9270)for(t=t.child;t!==null;)Nu(t,e),t=t.sibling;else nu(t,!1)}function Nu(e,t){var n=e.alternate;if(n===null)Jl(e,!1);else switch(e.tag){case 3:if(du=cu=!1,Hl(),Mu(t,e),!cu&&!uu){if(e=Vl,e!==null)for(var r=0;r<e.length;r+=3){n=e[r];var i=e[r+1];Ep(n,e[r+2]),n=n.ownerDocument.documentElement,n!==null&&n.animate({opacity:[0,0],pointerEvents:[`none`,`none`]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition-group(`+i+`)`})}e=t.containerInfo,e=e.nodeType===9?e.documentElement:e.ownerDocument.documentElement,e!==null&&e.style.viewTransitionName===``&&(e.style.viewTransitionName=`none`,e.animate({opacity:[0,0],pointerEvents:[`none`,`none`]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition-group(root)`}),e.animate({width:[0,0],height:[0,0]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition`})),du=!0}Vl=null;break;case 5:Mu(t,e);break;case 4:r=cu,cu=!1,Mu(t,e),cu&&(uu=!0),cu=r;break;case 22:e.memoizedState===null&&(n.memoizedState===null?Mu(t,e):Jl(e,!1));break;case 30:r=cu,i=Hl(),cu=!1,Mu(t,e),cu&&(e.flags|=4);var a=e.memoizedProps,o=e.stateNode;t=wi(a,o),o=wi(n.memoizedProps,o);var s=Ei(a.default,a.update);s===`none`?t=!1:(a=n.memoizedState,n.memoizedState=null,n=e.child,Ul=0,t=tu(e,n,t,o,s,a,!0),Ul!==(a===null?0:a.length)&&(e.flags|=32)),e.flags&4&&t?(Nd(e,e.memoizedProps.onUpdate),Vl=i):i!==null&&(i.push.apply(i,Vl),Vl=i),cu=e.flags&32?!0:r;break;default:Mu(t,e)}}function Pu(e,t){if(t.subtreeFlags&8772)for(t=t.child;t!==null;)mu(e,t.alternate,t),t=t.sibling}function Fu(e,t){for(e=e.child;e!==null;){var n=e,r=t;switch(n.tag){case 0:case 11:case 14:case 15:xl(4,n,n.return),Fu(n,r);break;case 1:Tl(n,n.return);var i=n.stateNode;typeof i.componentWillUnmount==`function`&&Cl(n,n.return,i),Fu(n,r);break;case 27:r&2&&gm(n.stateNode,n.type,n.memoizedProps);case 5:Tl(n,n.return),n.tag!==5&&n.tag!==27||Ol(n),Fu(n,r);break;case 6:Ol(n);break;case 26:Tl(n,n.return),i=n.stateNode,n.memoizedState!==null||i===null||K||i.parentNode.removeChild(i),Fu(n,r);break;case 22:n.memoizedState===null&&Fu(n,r);break;case 30:Tl(n,n.return),Fu(n,r);break;case 7:Tl(n,n.return);default:Fu(n,r)}e=e.sibling}}function Iu(e,t,n){for(n=t.subtreeFlags&8772?n:n&-2,t=t.child;t!==null;){var r=t.alternate,i=e,a=t,o=a.flags,s=!!(n&1);switch(a.tag){case 0:case 11:case 15:Iu(i,a,n),bl(4,a);break;case 1:if(Iu(i,a,n),r=a,i=r.stateNode,typeof i.componentDidMount==`function`)try{i.componentDidMount()}catch(e){Z(r,r.return,e)}if(r=a,i=r.updateQueue,i!==null){var c=r.stateNode;try{var l=i.shared.hiddenCallbacks;if(l!==null)for(i.shared.hiddenCallbacks=null,i=0;i<l.length;i++)Eo(l[i],c)}catch(e){Z(r,r.return,e)}}s&&o&64&&Sl(a),wl(a,a.return);break;case 27:n&2&&Ll(a);case 5:a.tag!==5&&a.tag!==27||Dl(a),Iu(i,a,n),s&&r===null&&o&4&&jl(a),wl(a,a.return);break;case 6:Dl(a);break;case 26:c=a.stateNode,a.memoizedState!==null||c===null||ru||Km(bm(c.ownerDocument),a.type,c),Iu(i,a,n),s&&r===null&&o&4&&jl(a),wl(a,a.return);break;case 12:Iu(i,a,n);break;case 31:Iu(i,a,n),s&&o&4&&Cu(i,a);break;case 13:Iu(i,a,n),s&&o&4&&wu(i,a);break;case 22:a.memoizedState===null&&Iu(i,a,n),wl(a,a.return);break;case 30:Iu(i,a,n),wl(a,a.return);break;case 7:wl(a,a.return);default:Iu(i,a,n)}t=t.sibling}}function Lu(e,t){var n=null;e!==null&&e.memoizedState!==null&&e.memoizedState.cachePool!==null&&(n=e.memoizedState.cachePool.pool),e=null,t.memoizedState!==null&&t.memoizedState.cachePool!==null&&(e=t.memoizedState.cachePool.pool),e!==n&&(e!=null&&e.refCount++,n!=null&&Fa(n))}function Ru(e,t){e=null,t.alternate!==null&&(e=t.alternate.memoizedState.cache),t=t.memoizedState.cache,t!==e&&(t.refCount++,e!=null&&Fa(e))}function zu(e,t,n,r){var i=(n&335544064)===n;if(t.subtreeFlags&(i?10262:10256))for(t=t.child;t!==null;)Bu(e,t,n,r),t=t.sibling;else i&&eu(t)}function Bu(e,t,n,r){var i=(n&335544064)===n;i&&t.alternate===null&&t.return!==null&&t.return.alternate!==null&&$l(t);var a=t.flags;switch(t.tag){case 0:case 11:case 15:zu(e,t,n,r),a&2048&&bl(9,t);break;case 1:zu(e,t,n,r);break;case 3:zu(e,t,n,r),i&&du&&(e=e.containerInfo,e=e.nodeType===9?e.body:e.nodeName===`HTML`?e.ownerDocument.body:e,e.style.viewTransitionName===`root`&&(e.style.viewTransitionName=``),e=e.ownerDocument.documentElement,e!==null&&e.style.viewTransitionName===`none`&&(e.style.viewTransitionName=``)),a&2048&&(a=null,t.alternate!==null&&(a=t.alternate.memoizedState.cache),t=t.memoizedState.cache,t!==a&&(t.refCount++,a!=null&&Fa(a)));break;case 12:if(a&2048){zu(e,t,n,r),a=t.stateNode;try{var o=t.memoizedProps,s=o.id,c=o.onPostCommit;typeof c==`function`&&c(s,t.alternate===null?`mount`:`update`,a.passiveEffectDuration,-0)}catch(e){Z(t,t.return,e)}}else zu(e,t,n,r);break;case 31:zu(e,t,n,r);break;case 13:zu(e,t,n,r);break;case 23:break;case 22:o=t.stateNode,s=t.alternate,t.memoizedState===null?(i&&s!==null&&s.memoizedState!==null&&$l(t),o._visibility&2?zu(e,t,n,r):(o._visibility|=2,Vu(e,t,n,r,!!(t.subtreeFlags&10256)||!1))):(i&&s!==null&&s.memoizedState===null&&$l(s),o._visibility&2?zu(e,t,n,r):Hu(e,t)),a&2048&&Lu(s,t);break;case 24:zu(e,t,n,r),a&2048&&Ru(t.alternate,t);break;case 30:i&&(a=t.alternate,a!==null&&(Kl(a.child,!0),Kl(t.child,!0))),zu(e,t,n,r);break;default:zu(e,t,n,r)}}function Vu(e,t,n,r,i){for(i&&=!!(t.subtreeFlags&10256)||!1,t=t.child;t!==null;){var a=e,o=t,s=n,c=r,l=o.flags;switch(o.tag){case 0:case 11:case 15:Vu(a,o,s,c,i),bl(8,o);break;case 23:break;case 22:var u=o.stateNode;o.memoizedState===null?(u._visibility|=2,Vu(a,o,s,c,i)):u._visibility&2?Vu(a,o,s,c,i):Hu(a,o),i&&l&2048&&Lu(o.alternate,o);break;case 24:Vu(a,o,s,c,i),i&&l&2048&&Ru(o.alternate,o);break;default:Vu(a,o,s,c,i)}t=t.sibling}}function Hu(e,t){if(t.subtreeFlags&10256)for(t=t.child;t!==null;){var n=e,r=t,i=r.flags;switch(r.tag){case 22:Hu(n,r),i&2048&&Lu(r.alternate,r);break;case 24:Hu(n,r),i&2048&&Ru(r.alternate,r);break;default:Hu(n,r)}t=t.sibling}}var Uu=8192;function Wu(e,t,n){if(e.subtreeFlags&Uu)for(e=e.child;e!==null;)Gu(e,t,n),e=e.sibling}function Gu(e,t,n){switch(e.tag){case 26:Wu(e,t,n),e.flags&Uu&&(e.memoizedState===null?(e=e.stateNode,(t&335544128)===t&&Zm(n,e)):Qm(n,Ou,e.memoizedState,e.memoizedProps));break;case 5:Wu(e,t,n),e.flags&Uu&&(e=e.stateNode,(t&335544128)===t&&Zm(n,e));break;case 3:case 4:var r=Ou;Ou=bm(e.stateNode.containerInfo),Wu(e,t,n),Ou=r;break;case 22:e.memoizedState===null&&(r=e.alternate,r!==null&&r.memoizedState!==null?(r=Uu,Uu=16777216,Wu(e,t,n),Uu=r):Wu(e,t,n));break;case 30:if((e.flags&Uu)!==0&&(r=e.memoizedProps.name,r!=null&&r!==`auto`)){var i=e.stateNode;i.paired=null,zl===null&&(zl=new Map),zl.set(r,i)}Wu(e,t,n);break;default:Wu(e,t,n)}}function Ku(e){var t=e.alternate;if(t!==null&&(e=t.child,e!==null)){t.child=null;do t=e.sibling,e.sibling=null,e=t;while(e!==null)}}function qu(e){var t=e.deletions;if(e.flags&16){if(t!==null)for(var n=0;n<t.length;n++){var r=t[n];su=r,Xu(r,e)}Ku(e)}if(e.subtreeFlags&10256)for(e=e.child;e!==null;)Ju(e),e=e.sibling}function Ju(e){switch(e.tag){case 0:case 11:case 15:qu(e),e.flags&2048&&xl(9,e,e.return);break;case 3:qu(e);break;case 12:qu(e);break;case 22:var t=e.stateNode;e.memoizedState!==null&&t._visibility&2&&(e.return===null||e.return.tag!==13)?(t._visibility&=-3,Yu(e)):qu(e);break;default:qu(e)}}function Yu(e){var t=e.deletions;if(e.flags&16){if(t!==null)for(var n=0;n<t.length;n++){var r=t[n];su=r,Xu(r,e)}Ku(e)}for(e=e.child;e!==null;){switch(t=e,t.tag){case 0:case 11:case 15:xl(8,t,t.return),Yu(t);break;case 22:n=t.stateNode,n._visibility&2&&(n._visibility&=-3,Yu(t));break;default:Yu(t)}e=e.sibling}}function Xu(e,t){for(;su!==null;){var n=su;switch(n.tag){case 0:case 11:case 15:xl(8,n,t);break;case 23:case 22:if(n.memoizedState!==null&&n.memoizedState.cachePool!==null){var r=n.memoizedState.cachePool.pool;r!=null&&r.refCount++}break;case 24:Fa(n.memoizedState.cache)}if(r=n.child,r!==null)r.return=n,su=r;else a:for(n=e;su!==null;){r=su;var i=r.sibling,a=r.return;if(vu(r),r===n){su=null;break a}if(i!==null){i.return=a,su=i;break a}su=a}}}var Zu={getCacheForType:function(e){var t=Da(Na),n=t.data.get(e);return n===void 0&&(n=e(),t.data.set(e,n)),n},cacheSignal:function(){return Da(Na).controller.signal}},Qu=typeof WeakMap==`function`?WeakMap:Map,q=0,$u=null,J=null,Y=0,X=0,ed=null,td=!1,nd=!1,rd=!1,id=0,ad=0,od=0,sd=0,cd=0,ld=0,ud=0,dd=null,fd=null,pd=!1,md=0,hd=0,gd=1/0,_d=null,vd=null,yd=0,bd=null,xd=null,Sd=0,Cd=0,wd=null,Td=null,Ed=null,Dd=null,Od=null,kd=0,Ad=null;function jd(){return q&2&&Y!==0?Y&-Y:E.T===null?Ot():Pf()}function Md(){if(ld===0){if(!(Y&536870912)||L){var e=ft;ft<<=1,!(ft&3932160)&&(ft=262144),ld=e}else ld=536870912}return e=No.current,e!==null&&(e.flags|=32),ld}function Nd(e,t){if(t!=null){var n=e.stateNode,r=n.ref;r===null&&(r=n.ref=Pp(wi(e.memoizedProps,n))),Dd===null&&(Dd=[]),Dd.push(t.bind(null,r))}}function Pd(e,t,n){(e===$u&&(X===2||X===9)||e.cancelPendingCommit!==null)&&(Vd(e,0),Rd(e,Y,ld,!1)),xt(e,n),q&2&&e===$u||(e===$u&&(!(q&2)&&(sd|=n),ad===4&&Rd(e,Y,ld,!1)),Ef(e))}function Fd(e,t,n){if(q&6)throw Error(i(327));var r=!n&&!(t&127)&&(t&e.expiredLanes)===0||gt(e,t),a=r?Yd(e,t):qd(e,t,!0),o=r;do{if(a===0){nd&&!r&&Rd(e,t,0,!1);break}if(n=e.current.alternate,o&&!Ld(n))a=qd(e,t,!1),o=!1;else{if(a===2){if(o=t,e.errorRecoveryDisabledLanes&o)var s=0;else s=e.pendingLanes&-536870913,s=s===0?s&536870912?536870912:0:s;if(s!==0){t=s;a:{var c=e;a=dd;var l=c.current.memoizedState.isDehydrated;if(l&&(Vd(c,s).flags|=256),s=qd(c,s,!1),s!==2&&s!==6){if(rd&&!l){c.errorRecoveryDisabledLanes|=o,sd|=o,a=4;break a}o=fd,fd=a,o!==null&&(fd===null?fd=o:fd.push.apply(fd,o))}a=s}if(o=!1,a!==2)continue}}if(a===1){Vd(e,0),Rd(e,t,0,!0);break}a:{switch(r=e,o=a,o){case 0:case 1:throw Error(i(345));case 4:if((t&4194048)!==t&&(t&62914560)!==t)break;case 6:Rd(r,t,ld,!td);break a;case 2:fd=null;break;case 3:case 5:break;default:throw Error(i(329))}if((t&62914560)===t&&(a=md+300-Ye(),10<a)){if(Rd(r,t,ld,!td),ht(r,0,!0)!==0)break a;Sd=t,r.timeoutHandle=gp(Id.bind(null,r,n,fd,_d,pd,t,ld,sd,ud,td,o,`Throttled`,-0,0),a);break a}Id(r,n,fd,_d,pd,t,ld,sd,ud,td,o,null,-0,0)}break}}while(1);Ef(e)}function Id(e,t,n,r,i,a,o,s,c,l,u,d,f,p){e.timeoutHandle=-1;var m=t.subtreeFlags,h=(a&335544064)===a;d=null,(h||m&8192||(m&16785408)==16785408)&&(d={stylesheets:null,count:0,imgCount:0,imgBytes:0,suspenseyImages:[],waitingForImages:!0,waitingForViewTransition:!1,unsuspend:Dn},zl=null,Gu(t,a,d),h&&(m=d,h=e.containerInfo,h=(h.nodeType===9?h:h.ownerDocument).__reactViewTransition,h!=null&&(m.count++,m.waitingForViewTransition=!0,m=nh.bind(m),h.finished.then(m,m))),m=(a&62914560)===a?md-Ye():(a&4194048)===a?hd-Ye():0,m=eh(d,m),m!==null)?(Sd=a,e.cancelPendingCommit=m(nf.bind(null,e,t,a,n,r,i,o,s,c,l,u,d,null,f,p)),Rd(e,a,o,!l)):nf(e,t,a,n,r,i,o,s,c,l,u,d)}function Ld(e){for(var t=e;;){var n=t.tag;if((n===0||n===11||n===15)&&t.flags&16384&&(n=t.updateQueue,n!==null&&(n=n.stores,n!==null)))for(var r=0;r<n.length;r++){var i=n[r],a=i.getSnapshot;i=i.value;try{if(!Yr(a(),i))return!1}catch{return!1}}if(n=t.child,t.subtreeFlags&16384&&n!==null)n.return=t,t=n;else{if(t===e)break;for(;t.sibling===null;){if(t.return===null||t.return===e)return!0;t=t.return}t.sibling.return=t.return,t=t.sibling}}return!0}function Rd(e,t,n,r){t=_t(e,t),t&=~cd,t&=~sd,e.suspendedLanes|=t,e.pingedLanes&=~t,r&&(e.warmLanes|=t),r=e.expirationTimes;for(var i=t;0<i;){var a=31-st(i),o=1<<a;r[a]=-1,i&=~o}n!==0&&Ct(e,n,t)}function zd(){return q&6?!0:(Df(0,!1),!1)}function Bd(){if(J!==null){if(X===0)var e=J.return;else e=J,ya=va=null,ss(e),so=null,co=0,e=J;for(;e!==null;)yl(e.alternate,e),e=e.return;J=null}}function Vd(e,t){var n=e.timeoutHandle;return n!==-1&&(e.timeoutHandle=-1,_p(n)),n=e.cancelPendingCommit,n!==null&&(e.cancelPendingCommit=null,n()),Sd=0,Bd(),$u=e,J=n=Vi(e.current,null),Y=t,X=0,ed=null,td=!1,nd=gt(e,t),rd=!1,ud=ld=cd=sd=od=ad=0,fd=dd=null,pd=!1,id=_t(e,t),ji(),n}function Hd(e,t){z=null,E.H=fc,t===Za||t===$a?(t=ao(),X=3):t===Qa?(t=ao(),X=4):X=t===Ac?8:typeof t==`object`&&t&&typeof t.then==`function`?6:1,ed=t,J===null&&(ad=1,wc(e,Yi(t,e.current)))}function Ud(){var e=No.current;return e===null?!0:(Y&4194048)===Y?Po===null:(Y&62914560)===Y||Y&536870912?e===Po:!1}function Wd(){var e=E.H;return E.H=fc,e===null?fc:e}function Gd(){var e=E.A;return E.A=Zu,e}function Kd(){ad=4,td||(Y&4194048)!==Y&&No.current!==null||(nd=!0),!(od&134217727)&&!(sd&134217727)||$u===null||Rd($u,Y,ld,!1)}function qd(e,t,n){var r=q;q|=2;var i=Wd(),a=Gd();($u!==e||Y!==t)&&(_d=null,Vd(e,t)),t=!1;var o=ad;a:do try{if(X!==0&&J!==null){var s=J,c=ed;switch(X){case 8:Bd(),o=6;break a;case 3:case 2:case 9:case 6:No.current===null&&(t=!0);var l=X;if(X=0,ed=null,$d(e,s,c,l),n&&nd){o=0;break a}break;default:l=X,X=0,ed=null,$d(e,s,c,l)}}Jd(),o=ad;break}catch(t){Hd(e,t)}while(1);return t&&e.shellSuspendCounter++,ya=va=null,q=r,E.H=i,E.A=a,J===null&&($u=null,Y=0,ji()),o}function Jd(){for(;J!==null;)Zd(J)}function Yd(e,t){var n=q;q|=2;var r=Wd(),a=Gd();$u!==e||Y!==t?(_d=null,gd=Ye()+500,Vd(e,t)):nd=gt(e,t);a:do try{if(X!==0&&J!==null){t=J;var o=ed;b:switch(X){case 1:X=0,ed=null,$d(e,t,o,1);break;case 2:case 9:if(to(o)){X=0,ed=null,Qd(t);break}t=function(){X!==2&&X!==9||$u!==e||(X=7),Ef(e)},o.then(t,t);break a;case 3:X=7;break a;case 4:X=5;break a;case 7:to(o)?(X=0,ed=null,Qd(t)):(X=0,ed=null,$d(e,t,o,7));break;case 5:var s=null;switch(J.tag){case 26:s=J.memoizedState;case 5:case 27:var c=J;if(s?Ym(s):c.stateNode.complete){X=0,ed=null;var l=c.sibling;if(l!==null)J=l;else{var u=c.return;u===null?J=null:(J=u,ef(u))}break b}}X=0,ed=null,$d(e,t,o,5);break;case 6:X=0,ed=null,$d(e,t,o,6);break;case 8:Bd(),ad=6;break a;default:throw Error(i(462))}}Xd();break}catch(t){Hd(e,t)}while(1);return ya=va=null,E.H=r,E.A=a,q=n,J===null?($u=null,Y=0,ji(),ad):0}function Xd(){for(;J!==null&&!qe();)Zd(J)}function Zd(e){var t=ul(e.alternate,e,id);e.memoizedProps=e.pendingProps,t===null?ef(e):J=t}function Qd(e){var t=e,n=t.alternate;switch(t.tag){case 15:case 0:t=Wc(n,t,t.pendingProps,t.type,void 0,Y);break;case 11:t=Wc(n,t,t.pendingProps,t.type.render,t.ref,Y);break;case 5:ss(t);var r=t;r===sa&&(L?(fa(r),r.tag===5&&r.stateNode!=null&&(I=r.stateNode)):(fa(r),L=!0));default:yl(n,t),t=J=Hi(t,id),t=ul(n,t,id)}e.memoizedProps=e.pendingProps,t===null?ef(e):J=t}function $d(e,t,n,r){ya=va=null,ss(t),so=null,co=0;var i=t.return;try{if(kc(e,i,t,n,Y)){ad=1,wc(e,Yi(n,e.current)),J=null;return}}catch(t){if(i!==null)throw J=i,t;ad=1,wc(e,Yi(n,e.current)),J=null;return}t.flags&32768?(L||r===1?e=!0:nd||Y&536870912?e=!1:(td=e=!0,(r===2||r===9||r===3||r===6)&&(r=No.current,r!==null&&r.tag===13&&(r.flags|=16384))),tf(t,e)):ef(t)}function ef(e){var t=e;do{if(t.flags&32768){tf(t,td);return}e=t.return;var n=_l(t.alternate,t,id);if(n!==null){J=n;return}if(t=t.sibling,t!==null){J=t;return}J=t=e}while(t!==null);ad===0&&(ad=5)}function tf(e,t){do{var n=vl(e.alternate,e);if(n!==null){n.flags&=32767,J=n;return}if(n=e.return,n!==null&&(n.flags|=32768,n.subtreeFlags=0,n.deletions=null),!t&&(e=e.sibling,e!==null)){J=e;return}J=e=n}while(e!==null);ad=6,J=null}function nf(e,t,n,r,a,o,s,c,l,u,d,f){e.cancelPendingCommit=null;do df();while(yd!==0);if(q&6)throw Error(i(327));if(t!==null){if(t===e.current)throw Error(i(177));e===$u&&(J=$u=null,Y=0),xd=t,bd=e,Sd=n,wd=a,Td=r,rf(e,t,n,s,c,l,f)}}function rf(e,t,n,r,i,a,o){var s=t.lanes|t.childLanes;if(Cd=s,s|=Ai,St(e,n,s,r,i,a),Dd=null,(n&335544064)===n?(Od=Ra(e),r=10262):(Od=null,r=10256),(t.subtreeFlags&r)!==0||(t.flags&r)!==0?(e.callbackNode=null,e.callbackPriority=0,yf($e,function(){return ff(),null})):(e.callbackNode=null,e.callbackPriority=0),Rl=!1,r=!!(t.flags&13878),t.subtreeFlags&13878||r){r=E.T,E.T=null,i=D.p,D.p=2,a=q,q|=4;try{fu(e,t,n)}finally{q=a,D.p=i,E.T=r}}yd=1,Rl?Ed=Mp(o,e.containerInfo,Od,sf,cf,of,lf,ff,af,null,null):(sf(),cf(),lf())}function af(e){if(yd!==0){var t=bd.onRecoverableError;t(e,{componentStack:null})}}function of(){yd===3&&(yd=0,Nu(xd,bd),yd=4)}function sf(){if(yd===1){yd=0;var e=bd,t=xd,n=Sd,r=!!(t.flags&13878);if(t.subtreeFlags&13878||r){r=E.T,E.T=null;var i=D.p;D.p=2;var a=q;q|=4;try{lu=uu=!1,ku(t,e,n),n=cp;var o=ti(e.containerInfo),s=n.focusedElem,c=n.selectionRange;if(o!==s&&s&&s.ownerDocument&&ei(s.ownerDocument.documentElement,s)){if(c!==null&&ni(s)){var l=c.start,u=c.end;if(u===void 0&&(u=l),`selectionStart`in s)s.selectionStart=l,s.selectionEnd=Math.min(u,s.value.length);else{var d=s.ownerDocument||document,f=d&&d.defaultView||window;if(f.getSelection){var p=f.getSelection(),m=s.textContent.length,h=Math.min(c.start,m),g=c.end===void 0?h:Math.min(c.end,m);!p.extend&&h>g&&(o=g,g=h,h=o);var _=$r(s,h),v=$r(s,g);if(_&&v&&(p.rangeCount!==1||p.anchorNode!==_.node||p.anchorOffset!==_.offset||p.focusNode!==v.node||p.focusOffset!==v.offset)){var y=d.createRange();y.setStart(_.node,_.offset),p.removeAllRanges(),h>g?(p.addRange(y),p.extend(v.node,v.offset)):(y.setEnd(v.node,v.offset),p.addRange(y))}}}}for(d=[],p=s;p=p.parentNode;)p.nodeType===1&&d.push({element:p,left:p.scrollLeft,top:p.scrollTop});for(typeof s.focus==`function`&&s.focus(),s=0;s<d.length;s++){var b=d[s];b.element.scrollLeft=b.left,b.element.scrollTop=b.top}}gh=!!sp,cp=sp=null}finally{q=a,D.p=i,E.T=r}}e.current=t,yd=2}}function cf(){if(yd===2){yd=0;var e=bd,t=xd,n=!!(t.flags&8772);if(t.subtreeFlags&8772||n){n=E.T,E.T=null;var r=D.p;D.p=2;var i=q;q|=4;try{mu(e,t.alternate,t)}finally{q=i,D.p=r,E.T=n}}yd=3}}function lf(){if(yd===4||yd===3){yd=0;var e=Ed;Ed=null,Je();var t=bd,n=xd,r=Sd,i=Td,a=(r&335544064)===r?10262:10256;if((n.subtreeFlags&a)!==0||(n.flags&a)!==0?yd=5:(yd=0,xd=bd=null,uf(t,t.pendingLanes)),a=t.pendingLanes,a===0&&(vd=null),Dt(r),n=n.stateNode,at&&typeof at.onCommitFiberRoot==`function`)try{at.onCommitFiberRoot(it,n,void 0,(n.current.flags&128)==128)}catch{}if(i!==null){n=E.T,a=D.p,D.p=2,E.T=null;try{for(var o=t.onRecoverableError,s=0;s<i.length;s++){var c=i[s];o(c.value,{componentStack:c.stack})}}finally{E.T=n,D.p=a}}if(i=Dd,o=Od,Od=null,i!==null&&(Dd=null,o===null&&(o=[]),e!==null))for(c=0;c<i.length;c++)n=(0,i[c])(o),n!==void 0&&e.finished.finally(n);Sd&3&&df(),Ef(t),a=t.pendingLanes,r&261930&&a&42?t===Ad?kd++:(kd=0,Ad=t):(kd=0,Ad=null),Df(0,!1)}}function uf(e,t){(e.pooledCacheLanes&=t)===0&&(t=e.pooledCache,t!=null&&(e.pooledCache=null,Fa(t)))}function df(){return Ed!==null&&(Ed.skipTransition(),Ed=null),sf(),cf(),lf(),ff()}function ff(){if(yd!==5)return!1;var e=bd,t=Cd;Cd=0;var n=Dt(Sd),r=E.T,a=D.p;try{D.p=32>n?32:n,E.T=null,n=wd,wd=null;var o=bd,s=Sd;if(yd=0,xd=bd=null,Sd=0,q&6)throw Error(i(331));var c=q;if(q|=4,Ju(o.current),Bu(o,o.current,s,n),q=c,Df(0,!1),at&&typeof at.onPostCommitFiberRoot==`function`)try{at.onPostCommitFiberRoot(it,o)}catch{}return!0}finally{D.p=a,E.T=r,uf(e,t)}}function pf(e,t,n){t=Yi(n,t),t=Ec(e.stateNode,t,2),e=bo(e,t,2),e!==null&&(xt(e,2),Ef(e))}function Z(e,t,n){if(e.tag===3)pf(e,e,n);else for(;t!==null;){if(t.tag===3){pf(t,e,n);break}if(t.tag===1){var r=t.stateNode;if(typeof t.type.getDerivedStateFromError==`function`||typeof r.componentDidCatch==`function`&&(vd===null||!vd.has(r))){e=Yi(n,e),n=Dc(2),r=bo(t,n,2),r!==null&&(Oc(n,r,t,e),xt(r,2),Ef(r));break}}t=t.return}}function mf(e,t,n){var r=e.pingCache;if(r===null){r=e.pingCache=new Qu;var i=new Set;r.set(t,i)}else i=r.get(t),i===void 0&&(i=new Set,r.set(t,i));i.has(n)||(rd=!0,i.add(n),e=hf.bind(null,e,t,n),t.then(e,e))}function hf(e,t,n){var r=e.pingCache;r!==null&&r.delete(t),e.pingedLanes|=e.suspendedLanes&n,e.warmLanes&=~n,$u===e&&(Y&n)===n&&(ad===4||ad===3&&(Y&62914560)===Y&&300>Ye()-md?q&2?cd|=n:Vd(e,0):cd|=n,ud===Y&&(ud=0)),Ef(e)}function gf(e,t){t===0&&(t=yt()),e=Pi(e,t),e!==null&&(xt(e,t),Ef(e))}function _f(e){var t=e.memoizedState,n=0;t!==null&&(n=t.retryLane),gf(e,n)}function vf(e,t){var n=0;switch(e.tag){case 31:case 13:var r=e.stateNode,a=e.memoizedState;a!==null&&(n=a.retryLane);break;case 19:r=e.stateNode;break;case 22:r=e.stateNode._retryCache;break;default:throw Error(i(314))}r!==null&&r.delete(t),gf(e,n)}function yf(e,t){return Ge(e,t)}var bf=null,xf=null,Sf=!1,Cf=!1,wf=!1,Tf=0;function Ef(e){e!==xf&&e.next===null&&(xf===null?bf=xf=e:xf=xf.next=e),Cf=!0,Sf||(Sf=!0,Nf())}function Df(e,t){if(!wf&&Cf){wf=!0;do for(var n=!1,r=bf;r!==null;){if(!t){if(e!==0){var i=r.pendingLanes;if(i===0)var a=0;else{var o=r.suspendedLanes,s=r.pingedLanes;a=(1<<31-st(42|e)+1)-1,a&=i&~(o&~s),a=a&201326741?a&201326741|1:a?a|2:0}a!==0&&(n=!0,Mf(r,a))}else a=Y,a=ht(r,r===$u?a:0,r.cancelPendingCommit!==null||r.timeoutHandle!==-1),!(a&3)||gt(r,a)||(n=!0,Mf(r,a))}r=r.next}while(n);wf=!1}}function Of(){kf()}function kf(){Cf=Sf=!1;var e=0;Tf!==0&&hp()&&(e=Tf);for(var t=Ye(),n=null,r=bf;r!==null;){var i=r.next,a=Af(r,t);a===0?(r.next=null,n===null?bf=i:n.next=i,i===null&&(xf=n)):(n=r,(e!==0||a&3)&&(Cf=!0)),r=i}yd!==0&&yd!==5||Df(e,!1),Tf!==0&&(Tf=0)}function Af(e,t){for(var n=e.suspendedLanes,r=e.pingedLanes,i=e.expirationTimes,a=e.pendingLanes&-62914561;0<a;){var o=31-st(a),s=1<<o,c=i[o];c===-1?((s&n)===0||(s&r)!==0)&&(i[o]=vt(s,t)):c<=t&&(e.expiredLanes|=s),a&=~s}if(t=$u,n=Y,n=ht(e,e===t?n:0,e.cancelPendingCommit!==null||e.timeoutHandle!==-1),r=e.callbackNode,n===0||e===t&&(X===2||X===9)||e.cancelPendingCommit!==null)return r!==null&&r!==null&&Ke(r),e.callbackNode=null,e.callbackPriority=0;if(!(n&3)||gt(e,n)){if(t=n&-n,t===e.callbackPriority)return t;switch(r!==null&&Ke(r),Dt(n)){case 2:case 8:n=Qe;break;case 32:n=$e;break;case 268435456:n=tt;break;default:n=$e}return r=jf.bind(null,e),n=Ge(n,r),e.callbackPriority=t,e.callbackNode=n,t}return r!==null&&r!==null&&Ke(r),e.callbackPriority=2,e.callbackNode=null,2}function jf(e,t){if(yd!==0&&yd!==5)return e.callbackNode=null,e.callbackPriority=0,null;var n=e.callbackNode;if(df()&&e.callbackNode!==n)return null;var r=Y;return r=ht(e,e===$u?r:0,e.cancelPendingCommit!==null||e.timeoutHandle!==-1),r===0?null:(Fd(e,r,t),Af(e,Ye()),e.callbackNode!=null&&e.callbackNode===n?jf.bind(null,e):null)}function Mf(e,t){if(df())return null;Fd(e,t,!0)}function Nf(){bp(function(){q&6?Ge(Ze,Of):kf()})}function Pf(){if(Tf===0){var e=Va;e===0&&(e=dt,dt<<=1,!(dt&261888)&&(dt=256)),Tf=e}return Tf}function Ff(e){return e==null||typeof e==`symbol`||typeof e==`boolean`?null:typeof e==`function`?e:En(e)}function If(e,t,n,r,i){if(t===`submit`&&n&&n.stateNode===i){var a=Ff((i[Mt]||null).action),o=r.submitter;o&&(t=(t=o[Mt]||null)?Ff(t.formAction):o.getAttribute(`formAction`),t!==null&&(a=t,o=null));var s=new qn(`action`,`action`,null,r,i);e.push({event:s,listeners:[{instance:null,listener:function(){if(r.defaultPrevented){if(Tf!==0){var e=new FormData(i,o);Qs(n,{pending:!0,data:e,method:i.method,action:a},null,e)}}else typeof a==`function`&&(s.preventDefault(),e=new FormData(i,o),Qs(n,{pending:!0,data:e,method:i.method,action:a},a,e))},currentTarget:i}]})}}for(var Lf=0;Lf<xi.length;Lf++){var Rf=xi[Lf];Si(Rf.toLowerCase(),`on`+(Rf[0].toUpperCase()+Rf.slice(1)))}Si(pi,`onAnimationEnd`),Si(mi,`onAnimationIteration`),Si(hi,`onAnimationStart`),Si(`dblclick`,`onDoubleClick`),Si(`focusin`,`onFocus`),Si(`focusout`,`onBlur`),Si(gi,`onTransitionRun`),Si(_i,`onTransitionStart`),Si(vi,`onTransitionCancel`),Si(yi,`onTransitionEnd`),Xt(`onMouseEnter`,[`mouseout`,`mouseover`]),Xt(`onMouseLeave`,[`mouseout`,`mouseover`]),Xt(`onPointerEnter`,[`pointerout`,`pointerover`]),Xt(`onPointerLeave`,[`pointerout`,`pointerover`]),Yt(`onChange`,`change click focusin focusout input keydown keyup selectionchange`.split(` `)),Yt(`onSelect`,`focusout contextmenu dragend focusin keydown keyup mousedown mouseup selectionchange`.split(` `)),Yt(`onBeforeInput`,[`compositionend`,`keypress`,`textInput`,`paste`]),Yt(`onCompositionEnd`,`compositionend focusout keydown keypress keyup mousedown`.split(` `)),Yt(`onCompositionStart`,`compositionstart focusout keydown keypress keyup mousedown`.split(` `)),Yt(`onCompositionUpdate`,`compositionupdate focusout keydown keypress keyup mousedown`.split(` `));var zf=`abort canplay canplaythrough durationchange emptied encrypted ended error loadeddata loadedmetadata loadstart pause play playing progress ratechange resize seeked seeking stalled suspend timeupdate volumechange waiting`.split(` `),Bf=new Set(`beforetoggle cancel close invalid load scroll scrollend toggle`.split(` `).concat(zf));function Vf(e,t){t=!!(t&4);for(var n=0;n<e.length;n++){var r=e[n],i=r.event;r=r.listeners;a:{var a=void 0;if(t)for(var o=r.length-1;0<=o;o--){var s=r[o],c=s.instance,l=s.currentTarget;if(s=s.listener,c!==a&&i.isPropagationStopped())break a;a=s,i.currentTarget=l;try{a(i)}catch(e){Di(e)}i.currentTarget=null,a=c}else for(o=0;o<r.length;o++){if(s=r[o],c=s.instance,l=s.currentTarget,s=s.listener,c!==a&&i.isPropagationStopped())break a;a=s,i.currentTarget=l;try{a(i)}catch(e){Di(e)}i.currentTarget=null,a=c}}}}function Q(e,t){var n=t[Pt];n===void 0&&(n=t[Pt]=new Set);var r=e+`__bubble`;n.has(r)||(Gf(t,e,2,!1),n.add(r))}function Hf(e,t,n){var r=0;t&&(r|=4),Gf(n,e,r,t)}var Uf=`_reactListening`+Math.random().toString(36).slice(2);function Wf(e){if(!e[Uf]){e[Uf]=!0,qt.forEach(function(t){t!==`selectionchange`&&(Bf.has(t)||Hf(t,!1,e),Hf(t,!0,e))});var t=e.nodeType===9?e:e.ownerDocument;t===null||t[Uf]||(t[Uf]=!0,Hf(`selectionchange`,!1,t))}}function Gf(e,t,n,r){switch(Ch(t)){case 2:var i=_h;break;case 8:i=vh;break;default:i=yh}n=i.bind(null,t,n,e),i=void 0,!j||t!==`touchstart`&&t!==`touchmove`&&t!==`wheel`||(i=!0),r?i===void 0?e.addEventListener(t,n,!0):e.addEventListener(t,n,{capture:!0,passive:i}):i===void 0?e.addEventListener(t,n,!1):e.addEventListener(t,n,{passive:i})}function Kf(e,t,n,r,i){var a=r;if(!(t&1)&&!(t&2)&&r!==null)a:for(;;){if(r===null)return;var s=r.tag;if(s===3||s===4){var c=r.stateNode.containerInfo;if(c===i)break;if(s===4)for(s=r.return;s!==null;){var l=s.tag;if((l===3||l===4)&&s.stateNode.containerInfo===i)return;s=s.return}for(;c!==null;){if(s=Vt(c),s===null)return;if(l=s.tag,l===5||l===6||l===26||l===27){r=a=s;continue a}c=c.parentNode}}r=r.return}Pn(function(){var r=a,i=kn(n),s=[];a:{var c=bi.get(e);if(c!==void 0){var l=qn,u=e;switch(e){case`keypress`:if(Hn(n)===0)break a;case`keydown`:case`keyup`:l=dr;break;case`focusin`:u=`focus`,l=nr;break;case`focusout`:u=`blur`,l=nr;break;case`beforeblur`:case`afterblur`:l=nr;break;case`click`:if(n.button===2)break a;case`auxclick`:case`dblclick`:case`mousedown`:case`mousemove`:case`mouseup`:case`mouseout`:case`mouseover`:case`contextmenu`:l=er;break;case`drag`:case`dragend`:case`dragenter`:case`dragexit`:case`dragleave`:case`dragover`:case`dragstart`:case`drop`:l=tr;break;case`touchcancel`:case`touchend`:case`touchmove`:case`touchstart`:l=mr;break;case pi:case mi:case hi:l=rr;break;case yi:l=hr;break;case`scroll`:case`scrollend`:l=Yn;break;case`wheel`:l=gr;break;case`copy`:case`cut`:case`paste`:l=ir;break;case`gotpointercapture`:case`lostpointercapture`:case`pointercancel`:case`pointerdown`:case`pointermove`:case`pointerout`:case`pointerover`:case`pointerup`:l=fr;break;case`submit`:l=pr;break;case`toggle`:case`beforetoggle`:l=_r}var d=!!(t&4),f=!d&&(e===`scroll`||e===`scrollend`),p=d?c===null?null:c+`Capture`:c;d=[];for(var m=r,h;m!==null;){var g=m;if(h=g.stateNode,g=g.tag,g!==5&&g!==26&&g!==27||h===null||p===null||(g=Fn(m,p),g!=null&&d.push(qf(m,g,h))),f)break;m=m.return}0<d.length&&(c=new l(c,u,null,n,i),s.push({event:c,listeners:d}))}}if(!(t&7)){a:{if(l=e===`mouseover`||e===`pointerover`,c=e===`mouseout`||e===`pointerout`,l&&n!==On&&(u=n.relatedTarget||n.fromElement)&&(Vt(u)||u[Nt]))break a;(c||l)&&(u=i.window===i?i:(l=i.ownerDocument)?l.defaultView||l.parentWindow:window,c?(l=n.relatedTarget||n.toElement,c=r,l=l?Vt(l):null,l!==null&&(f=o(l),d=l.tag,l!==f||d!==5&&d!==27&&d!==6)&&(l=null)):(c=null,l=r),c!==l&&(d=er,g=`onMouseLeave`,p=`onMouseEnter`,m=`mouse`,(e===`pointerout`||e===`pointerover`)&&(d=fr,g=`onPointerLeave`,p=`onPointerEnter`,m=`pointer`),f=c==null?u:Ut(c),h=l==null?u:Ut(l),u=new d(g,m+`leave`,c,n,i),u.target=f,u.relatedTarget=h,g=null,Vt(i)===r&&(d=new d(p,m+`enter`,l,n,i),d.target=h,d.relatedTarget=f,g=d),f=g,d=c&&l?te(c,l,Yf):null,c!==null&&Xf(s,u,c,d,!1),l!==null&&f!==null&&Xf(s,f,l,d,!0)))}a:{if(c=r?Ut(r):window,l=c.nodeName&&c.nodeName.toLowerCase(),l===`select`||l===`input`&&c.type===`file`)var _=Lr;else if(jr(c)){if(Rr)_=qr;else{_=Gr;var v=Wr}}else l=c.nodeName,!l||l.toLowerCase()!==`input`||c.type!==`checkbox`&&c.type!==`radio`?r&&Cn(r.elementType)&&(_=Lr):_=Kr;if(_&&=_(e,r)){Mr(s,_,n,i);break a}v&&v(e,c,r)}switch(v=r?Ut(r):window,e){case`focusin`:(jr(v)||v.contentEditable===`true`)&&(ii=v,ai=r,oi=null);break;case`focusout`:oi=ai=ii=null;break;case`mousedown`:M=!0;break;case`contextmenu`:case`mouseup`:case`dragend`:M=!1,si(s,n,i);break;case`selectionchange`:if(ri)break;case`keydown`:case`keyup`:si(s,n,i)}var y;if(yr)b:{switch(e){case`compositionstart`:var b=`onCompositionStart`;break b;case`compositionend`:b=`onCompositionEnd`;break b;case`compositionupdate`:b=`onCompositionUpdate`;break b}b=void 0}else Dr?Tr(e,n)&&(b=`onCompositionEnd`):e===`keydown`&&n.keyCode===229&&(b=`onCompositionStart`);b&&(Sr&&n.locale!==`ko`&&(Dr||b!==`onCompositionStart`?b===`onCompositionEnd`&&Dr&&(y=Vn()):(Rn=i,zn=`value`in Rn?Rn.value:Rn.textContent,Dr=!0)),v=Jf(r,b),0<v.length&&(b=new ar(b,e,null,n,i),s.push({event:b,listeners:v}),y?b.data=y:(y=Er(n),y!==null&&(b.data=y)))),(y=xr?Or(e,n):kr(e,n))&&(b=Jf(r,`onBeforeInput`),0<b.length&&(v=new ar(`onBeforeInput`,`beforeinput`,null,n,i),s.push({event:v,listeners:b}),v.data=y)),If(s,e,r,n,i)}Vf(s,t)})}function qf(e,t,n){return{instance:e,listener:t,currentTarget:n}}function Jf(e,t){for(var n=t+`Capture`,r=[];e!==null;){var i=e,a=i.stateNode;if(i=i.tag,i!==5&&i!==26&&i!==27||a===null||(i=Fn(e,n),i!=null&&r.unshift(qf(e,i,a)),i=Fn(e,t),i!=null&&r.push(qf(e,i,a))),e.tag===3)return r;e=e.return}return[]}function Yf(e){if(e===null)return null;do e=e.return;while(e&&e.tag!==5&&e.tag!==27);return e||null}function Xf(e,t,n,r,i){for(var a=t._reactName,o=[];n!==null&&n!==r;){var s=n,c=s.alternate,l=s.stateNode;if(s=s.tag,c!==null&&c===r)break;s!==5&&s!==26&&s!==27||l===null||(c=l,i?(l=Fn(n,a),l!=null&&o.unshift(qf(n,l,c))):i||(l=Fn(n,a),l!=null&&o.push(qf(n,l,c)))),n=n.return}o.length!==0&&e.push({event:t,listeners:o})}var Zf=/\r\n?/g,Qf=/\u0000|\uFFFD/g;function $f(e){return(typeof e==`string`?e:``+e).replace(Zf,`
`).replace(Qf,``)}function ep(e,t){return t=$f(t),$f(e)===t}function $(e,t,n,r,a,o){switch(n){case`children`:if(typeof r==`string`)t===`body`||t===`textarea`&&r===``||yn(e,r);else if(typeof r==`number`||typeof r==`bigint`)t!==`body`&&yn(e,``+r);else return;break;case`className`:rn(e,`class`,r);break;case`tabIndex`:rn(e,`tabindex`,r);break;case`dir`:case`role`:case`viewBox`:case`width`:case`height`:rn(e,n,r);break;case`style`:Sn(e,r,o);return;case`data`:if(t!==`object`){rn(e,`data`,r);break}case`src`:case`href`:if(r===``&&(t!==`a`||n!==`href`)||r==null||typeof r==`function`||typeof r==`symbol`||typeof r==`boolean`){e.removeAttribute(n);break}r=En(r),e.setAttribute(n,r);break;case`action`:case`formAction`:if(typeof r==`function`){e.setAttribute(n,`javascript:throw new Error('A React form was unexpectedly submitted. If you called form.submit() manually, consider using form.requestSubmit() instead. If you\\'re trying to use event.stopPropagation() in a submit event handler, consider also calling event.preventDefault().')`);break}if(typeof o==`function`&&(n===`formAction`?(t!==`input`&&$(e,t,`name`,a.name,a,null),$(e,t,`formEncType`,a.formEncType,a,null),$(e,t,`formMethod`,a.formMethod,a,null),$(e,t,`formTarget`,a.formTarget,a,null)):($(e,t,`encType`,a.encType,a,null),$(e,t,`method`,a.method,a,null),$(e,t,`target`,a.target,a,null))),r==null||typeof r==`symbol`||typeof r==`boolean`){e.removeAttribute(n);break}r=En(r),e.setAttribute(n,r);break;case`onClick`:r!=null&&(e.onclick=Dn);return;case`onScroll`:r!=null&&Q(`scroll`,e);return;case`onScrollEnd`:r!=null&&Q(`scrollend`,e);return;case`dangerouslySetInnerHTML`:if(r!=null){if(typeof r!=`object`||!(`__html`in r))throw Error(i(61));if(n=r.__html,n!=null){if(a.children!=null)throw Error(i(60));o?.__html!==n&&(e.innerHTML=n)}}break;case`multiple`:e.multiple=r&&typeof r!=`function`&&typeof r!=`symbol`;break;case`muted`:e.muted=r&&typeof r!=`function`&&typeof r!=`symbol`;break;case`suppressContentEditableWarning`:case`suppressHydrationWarning`:case`defaultValue`:case`defaultChecked`:case`innerHTML`:case`ref`:break;case`autoFocus`:break;case`xlinkHref`:if(r==null||typeof r==`function`||typeof r==`boolean`||typeof r==`symbol`){e.removeAttribute(`xlink:href`);break}n=En(r),e.setAttributeNS(`http://www.w3.org/1999/xlink`,`xlink:href`,n);break;case`contentEditable`:case`spellCheck`:case`draggable`:case`value`:case`autoReverse`:case`externalResourcesRequired`:case`focusable`:case`preserveAlpha`:r!=null&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,r):e.removeAttribute(n);break;case`inert`:case`allowFullScreen`:case`async`:case`autoPlay`:case`controls`:case`credentialless`:case`default`:case`defer`:case`disabled`:case`disablePictureInPicture`:case`disableRemotePlayback`:case`formNoValidate`:case`hidden`:case`loop`:case`noModule`:case`noValidate`:case`open`:case`playsInline`:case`readOnly`:case`required`:case`reversed`:case`scoped`:case`seamless`:case`itemScope`:r&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,``):e.removeAttribute(n);break;case`capture`:case`download`:!0===r?e.setAttribute(n,``):!1!==r&&r!=null&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,r):e.removeAttribute(n);break;case`cols`:case`rows`:case`size`:case`span`:r!=null&&typeof r!=`function`&&typeof r!=`symbol`&&!isNaN(r)&&1<=r?e.setAttribute(n,r):e.removeAttribute(n);break;case`rowSpan`:case`start`:r==null||typeof r==`function`||typeof r==`symbol`||isNaN(r)?e.removeAttribute(n):e.setAttribute(n,r);break;case`popover`:Q(`beforetoggle`,e),Q(`toggle`,e),nn(e,`popover`,r);break;case`xlinkActuate`:an(e,`http://www.w3.org/1999/xlink`,`xlink:actuate`,r);break;case`xlinkArcrole`:an(e,`http://www.w3.org/1999/xlink`,`xlink:arcrole`,r);break;case`xlinkRole`:an(e,`http://www.w3.org/1999/xlink`,`xlink:role`,r);break;case`xlinkShow`:an(e,`http://www.w3.org/1999/xlink`,`xlink:show`,r);break;case`xlinkTitle`:an(e,`http://www.w3.org/1999/xlink`,`xlink:title`,r);break;case`xlinkType`:an(e,`http://www.w3.org/1999/xlink`,`xlink:type`,r);break;case`xmlBase`:an(e,`http://www.w3.org/XML/1998/namespace`,`xml:base`,r);break;case`xmlLang`:an(e,`http://www.w3.org/XML/1998/namespace`,`xml:lang`,r);break;case`xmlSpace`:an(e,`http://www.w3.org/XML/1998/namespace`,`xml:space`,r);break;case`is`:nn(e,`is`,r);break;case`innerText`:case`textContent`:return;default:if(!(2<n.length)||n[0]!==`o`&&n[0]!==`O`||n[1]!==`n`&&n[1]!==`N`)n=wn.get(n)||n,nn(e,n,r);else return}A=!0}function tp(e,t,n,r,a,o){switch(n){case`style`:Sn(e,r,o);return;case`dangerouslySetInnerHTML`:if(r!=null){if(typeof r!=`object`||!(`__html`in r))throw Error(i(61));if(n=r.__html,n!=null){if(a.children!=null)throw Error(i(60));o?.__html!==n&&(e.innerHTML=n)}}break;case`children`:if(typeof r==`string`)yn(e,r);else if(typeof r==`number`||typeof r==`bigint`)yn(e,``+r);else return;break;case`onScroll`:r!=null&&Q(`scroll`,e);return;case`onScrollEnd`:r!=null&&Q(`scrollend`,e);return;case`onClick`:r!=null&&(e.onclick=Dn);return;case`suppressContentEditableWarning`:case`suppressHydrationWarning`:case`innerHTML`:case`ref`:return;case`innerText`:case`textContent`:return;default:if(!Jt.hasOwnProperty(n))a:{if(n[0]===`o`&&n[1]===`n`&&(a=n.endsWith(`Capture`),o=n.slice(2,a?n.length-7:void 0),t=e[Mt]||null,t=t==null?null:t[n],typeof t==`function`&&e.removeEventListener(o,t,a),typeof r==`function`)){typeof t!=`function`&&t!==null&&(n in e?e[n]=null:e.hasAttribute(n)&&e.removeAttribute(n)),e.addEventListener(o,r,a);break a}A=!0,n in e?e[n]=r:!0===r?e.setAttribute(n,``):nn(e,n,r)}return}A=!0}function np(e,t,n){switch(t){case`div`:case`span`:case`svg`:case`path`:case`a`:case`g`:case`p`:case`li`:break;case`img`:Q(`error`,e),Q(`load`,e);var r=!1,a=!1,o;for(o in n)if(n.hasOwnProperty(o)){var s=n[o];if(s!=null)switch(o){case`src`:r=!0;break;case`srcSet`:a=!0;break;case`children`:case`dangerouslySetInnerHTML`:throw Error(i(137,t));default:$(e,t,o,s,n,null)}}a&&$(e,t,`srcSet`,n.srcSet,n,null),r&&$(e,t,`src`,n.src,n,null);return;case`input`:Q(`invalid`,e);var c=o=s=a=null,l=null,u=null;for(r in n)if(n.hasOwnProperty(r)){var d=n[r];if(d!=null)switch(r){case`name`:a=d;break;case`type`:s=d;break;case`checked`:l=d;break;case`defaultChecked`:u=d;break;case`value`:o=d;break;case`defaultValue`:c=d;break;case`children`:case`dangerouslySetInnerHTML`:if(d!=null)throw Error(i(137,t));break;default:$(e,t,r,d,n,null)}}mn(e,o,c,l,u,s,a,!1);return;case`select`:for(a in Q(`invalid`,e),r=s=o=null,n)if(n.hasOwnProperty(a)&&(c=n[a],c!=null))switch(a){case`value`:o=c;break;case`defaultValue`:s=c;break;case`multiple`:r=c;default:$(e,t,a,c,n,null)}t=o,n=s,e.multiple=!!r,t==null?n!=null&&gn(e,!!r,n,!0):gn(e,!!r,t,!1);return;case`textarea`:for(s in Q(`invalid`,e),o=a=r=null,n)if(n.hasOwnProperty(s)&&(c=n[s],c!=null))switch(s){case`value`:r=c;break;case`defaultValue`:a=c;break;case`children`:o=c;break;case`dangerouslySetInnerHTML`:if(c!=null)throw Error(i(91));break;default:$(e,t,s,c,n,null)}vn(e,r,a,o);return;case`option`:for(l in n)if(n.hasOwnProperty(l)&&(r=n[l],r!=null))switch(l){case`selected`:e.selected=r&&typeof r!=`function`&&typeof r!=`symbol`;break;default:$(e,t,l,r,n,null)}return;case`dialog`:Q(`beforetoggle`,e),Q(`toggle`,e),Q(`cancel`,e),Q(`close`,e);break;case`iframe`:case`object`:Q(`load`,e);break;case`video`:case`audio`:for(r=0;r<zf.length;r++)Q(zf[r],e);break;case`image`:Q(`error`,e),Q(`load`,e);break;case`details`:Q(`toggle`,e);break;case`embed`:case`source`:case`link`:Q(`error`,e),Q(`load`,e);case`area`:case`base`:case`br`:case`col`:case`hr`:case`keygen`:case`meta`:case`param`:case`track`:case`wbr`:case`menuitem`:for(u in n)if(n.hasOwnProperty(u)&&(r=n[u],r!=null))switch(u){case`children`:case`dangerouslySetInnerHTML`:throw Error(i(137,t));default:$(e,t,u,r,n,null)}return;default:if(Cn(t)){for(d in n)n.hasOwnProperty(d)&&(r=n[d],r!==void 0&&tp(e,t,d,r,n,void 0));return}}for(c in n)n.hasOwnProperty(c)&&(r=n[c],r!=null&&$(e,t,c,r,n,null))}var rp={};function ip(e,t,n,r){switch(t){case`div`:case`span`:case`svg`:case`path`:case`a`:case`g`:case`p`:case`li`:break;case`input`:var a=null,o=null,s=null,c=null,l=null,u=null,d=null;for(m in n){var f=n[m];if(n.hasOwnProperty(m)&&f!=null)switch(m){case`checked`:break;case`value`:break;case`defaultValue`:l=f;default:r.hasOwnProperty(m)||$(e,t,m,null,r,f)}}for(var p in r){var m=r[p];if(f=n[p],r.hasOwnProperty(p)&&(m!=null||f!=null))switch(p){case`type`:m!==f&&(A=!0),o=m;break;case`name`:m!==f&&(A=!0),a=m;break;case`checked`:m!==f&&(A=!0),u=m;break;case`defaultChecked`:m!==f&&(A=!0),d=m;break;case`value`:m!==f&&(A=!0),s=m;break;case`defaultValue`:m!==f&&(A=!0),c=m;break;case`children`:case`dangerouslySetInnerHTML`:if(m!=null)throw Error(i(137,t));break;default:m!==f&&$(e,t,p,m,r,f)}}pn(e,s,c,l,u,d,o,a);return;case`select`:for(o in m=s=c=p=null,n)if(l=n[o],n.hasOwnProperty(o)&&l!=null)switch(o){case`value`:break;case`multiple`:m=l;default:r.hasOwnProperty(o)||$(e,t,o,null,r,l)}for(a in r)if(o=r[a],l=n[a],r.hasOwnProperty(a)&&(o!=null||l!=null))switch(a){case`value`:o!==l&&(A=!0),p=o;break;case`defaultValue`:o!==l&&(A=!0),c=o;break;case`multiple`:o!==l&&(A=!0),s=o;default:o!==l&&$(e,t,a,o,r,l)}t=c,n=s,r=m,p==null?!!r!=!!n&&(t==null?gn(e,!!n,n?[]:``,!1):gn(e,!!n,t,!0)):gn(e,!!n,p,!1);return;case`textarea`:for(c in m=p=null,n)if(a=n[c],n.hasOwnProperty(c)&&a!=null&&!r.hasOwnProperty(c))switch(c){case`value`:break;case`children`:break;default:$(e,t,c,null,r,a)}for(s in r)if(a=r[s],o=n[s],r.hasOwnProperty(s)&&(a!=null||o!=null))switch(s){case`value`:a!==o&&(A=!0),p=a;break;case`defaultValue`:a!==o&&(A=!0),m=a;break;case`children`:break;case`dangerouslySetInnerHTML`:if(a!=null)throw Error(i(91));break;default:a!==o&&$(e,t,s,a,r,o)}_n(e,p,m);return;case`option`:for(var h in n)if(p=n[h],n.hasOwnProperty(h)&&p!=null&&!r.hasOwnProperty(h))switch(h){case`selected`:e.selected=!1;break;default:$(e,t,h,null,r,p)}for(l in r)if(p=r[l],m=n[l],r.hasOwnProperty(l)&&p!==m&&(p!=null||m!=null))switch(l){case`selected`:p!==m&&(A=!0),e.selected=p&&typeof p!=`function`&&typeof p!=`symbol`;break;default:$(e,t,l,p,r,m)}return;case`img`:case`link`:case`area`:case`base`:case`br`:case`col`:case`embed`:case`hr`:case`keygen`:case`meta`:case`param`:case`source`:case`track`:case`wbr`:case`menuitem`:for(var g in n)p=n[g],n.hasOwnProperty(g)&&p!=null&&!r.hasOwnProperty(g)&&$(e,t,g,null,r,p);for(u in r)if(p=r[u],m=n[u],r.hasOwnProperty(u)&&p!==m&&(p!=null||m!=null))switch(u){case`children`:case`dangerouslySetInnerHTML`:if(p!=null)throw Error(i(137,t));break;default:$(e,t,u,p,r,m)}return;default:if(Cn(t)){for(var _ in n)p=n[_],n.hasOwnProperty(_)&&p!==void 0&&!r.hasOwnProperty(_)&&tp(e,t,_,void 0,r,p);for(d in r)p=r[d],m=n[d],!r.hasOwnProperty(d)||p===m||p===void 0&&m===void 0||tp(e,t,d,p,r,m);return}}for(var v in n)p=n[v],n.hasOwnProperty(v)&&p!=null&&!r.hasOwnProperty(v)&&$(e,t,v,null,r,p);for(f in r)p=r[f],m=n[f],!r.hasOwnProperty(f)||p===m||p==null&&m==null||$(e,t,f,p,r,m)}function ap(e){switch(e){case`css`:case`script`:case`font`:case`img`:case`image`:case`input`:case`link`:return!0;default:return!1}}function op(){if(typeof performance.getEntriesByType==`function`){for(var e=0,t=0,n=performance.getEntriesByType(`resource`),r=0;r<n.length;r++){var i=n[r],a=i.transferSize,o=i.initiatorType,s=i.duration;if(a&&s&&ap(o)){for(o=0,s=i.responseEnd,r+=1;r<n.length;r++){var c=n[r],l=c.startTime;if(l>s)break;var u=c.transferSize,d=c.initiatorType;u&&ap(d)&&(c=c.responseEnd,o+=u*(c<s?1:(s-l)/(c-l)))}if(--r,t+=8*(a+o)/(i.duration/1e3),e++,10<e)break}}if(0<e)return t/e/1e6}return navigator.connection&&(e=navigator.connection.downlink,typeof e==`number`)?e:5}var sp=null,cp=null;function lp(e){return e.nodeType===9?e:e.ownerDocument}function up(e){switch(e){case`http://www.w3.org/2000/svg`:return 1;case`http://www.w3.org/1998/Math/MathML`:return 2;default:return 0}}function dp(e,t){if(e===0)switch(t){case`svg`:return 1;case`math`:return 2;default:return 0}return e===1&&t===`foreignObject`?0:e}function fp(e,t,n,r){return n=lp(n).createElement(e),n[jt]=r,n[Mt]=t,np(n,e,t),Gt(n),n}function pp(e,t){return e===`textarea`||e===`noscript`||typeof t.children==`string`||typeof t.children==`number`||typeof t.children==`bigint`||typeof t.dangerouslySetInnerHTML==`object`&&t.dangerouslySetInnerHTML!==null&&t.dangerouslySetInnerHTML.__html!=null}var mp=null;function hp(){var e=window.event;return e&&e.type===`popstate`?e!==mp&&(mp=e,!0):(mp=null,!1)}var gp=typeof setTimeout==`function`?setTimeout:void 0,_p=typeof clearTimeout==`function`?clearTimeout:void 0,vp=typeof Promise==`function`?Promise:void 0,yp=typeof requestAnimationFrame==`function`?requestAnimationFrame:gp,bp=typeof queueMicrotask==`function`?queueMicrotask:vp===void 0?gp:function(e){return vp.resolve(null).then(e).catch(xp)};function xp(e){setTimeout(function(){throw e})}function Sp(e){return e===`head`}function Cp(e,t){var n=t,r=0;do{var i=n.nextSibling;if(e.removeChild(n),i&&i.nodeType===8){if(n=i.data,n===`/$`||n===`/&`){if(r===0){e.removeChild(i),Hh(t);return}r--}else if(n===`$`||n===`$?`||n===`$~`||n===`$!`||n===`&`)r++;else if(n===`html`)_m(e.ownerDocument.documentElement);else if(n===`head`){n=e.ownerDocument.head,_m(n);for(var a=n.firstChild;a;){var o=a.nextSibling,s=a.nodeName;a[Rt]||s===`SCRIPT`||s===`STYLE`||s===`LINK`&&a.rel.toLowerCase()===`stylesheet`||n.removeChild(a),a=o}}else n===`body`&&_m(e.ownerDocument.body)}n=i}while(n);Hh(t)}function wp(e,t){var n=e;e=0;do{var r=n.nextSibling;if(n.nodeType===1?t?(n._stashedDisplay=n.style.display,n.style.display=`none`):(n.style.display=n._stashedDisplay||``,n.getAttribute(`style`)===``&&n.removeAttribute(`style`)):n.nodeType===3&&(t?(n._stashedText=n.nodeValue,n.nodeValue=``):n.nodeValue=n._stashedText||``),r&&r.nodeType===8){if(n=r.data,n===`/$`){if(e===0)break;e--}else n!==`$`&&n!==`$?`&&n!==`$~`&&n!==`$!`||e++}n=r}while(n)}function Tp(e,t,n){if(t=CSS.escape(t)===t?t:`r-`+btoa(t).replace(/=/g,``),e.style.viewTransitionName=t,n!=null&&(e.style.viewTransitionClass=n),n=getComputedStyle(e),n.display===`inline`){if(t=e.getClientRects(),t.length===1)var r=1;else for(var i=r=0;i<t.length;i++){var a=t[i];0<a.width&&0<a.height&&r++}r===1&&(e=e.style,e.display=t.length===1?`inline-block`:`block`,e.marginTop=`-`+n.paddingTop,e.marginBottom=`-`+n.paddingBottom)}}function Ep(e,t){e=e.style,t=t.style;var n=t==null?null:t.hasOwnProperty(`viewTransitionName`)?t.viewTransitionName:t.hasOwnProperty(`view-transition-name`)?t[`view-transition-name`]:null;e.viewTransitionName=n==null||typeof n==`boolean`?``:(``+n).trim(),n=t==null?null:t.hasOwnProperty(`viewTransitionClass`)?t.viewTransitionClass:t.hasOwnProperty(`view-transition-class`)?t[`view-transition-class`]:null,e.viewTransitionClass=n==null||typeof n==`boolean`?``:(``+n).trim(),e.display===`inline-block`&&(t==null?e.display=e.margin=``:(n=t.display,e.display=n==null||typeof n==`boolean`?``:n,n=t.margin,n==null?(n=t.hasOwnProperty(`marginTop`)?t.marginTop:t[`margin-top`],e.marginTop=n==null||typeof n==`boolean`?``:n,t=t.hasOwnProperty(`marginBottom`)?t.marginBottom:t[`margin-bottom`],e.marginBottom=t==null||typeof t==`boolean`?``:t):e.margin=n))}function Dp(e,t,n){return n=n.ownerDocument.defaultView,{rect:e,abs:t.position===`absolute`||t.position===`fixed`,clip:t.clipPath!==`none`||t.overflow!==`visible`||t.filter!==`none`||t.mask!==`none`||t.mask!==`none`||t.borderRadius!==`0px`,view:0<=e.bottom&&0<=e.right&&e.top<=n.innerHeight&&e.left<=n.innerWidth}}function Op(e){return Dp(e.getBoundingClientRect(),getComputedStyle(e),e)}function kp(e){var t=e.getBoundingClientRect();t=new DOMRect(t.x+2e4,t.y+2e4,t.width,t.height);var n=getComputedStyle(e);return Dp(t,n,e)}function Ap(e){return e.documentElement.clientHeight}function jp(e){this.addEventListener(`load`,e),this.addEventListener(`error`,e)}function Mp(e,t,n,r,i,a,o,s,c){var l=t.nodeType===9?t:t.ownerDocument;try{var u=l.startViewTransition({update:function(){var t=l.defaultView,n=t.navigation&&t.navigation.transition,o=l.fonts.status;r();var s=[];if(o===`loaded`&&(Ap(l),l.fonts.status===`loading`&&s.push(l.fonts.ready)),o=s.length,e!==null)for(var c=e.suspenseyImages,u=0,d=0;d<c.length;d++){var f=c[d];if(!f.complete){var p=f.getBoundingClientRect();if(0<p.bottom&&0<p.right&&p.top<t.innerHeight&&p.left<t.innerWidth){if(u+=Xm(f),u>$m){s.length=o;break}f=new Promise(jp.bind(f)),s.push(f)}}}if(0<s.length)return t=Promise.race([Promise.all(s),new Promise(function(e){return setTimeout(e,500)})]).then(i,i),(n?Promise.allSettled([n.finished,t]):t).then(a,a);if(i(),n)return n.finished.then(a,a);a()},types:n});l.__reactViewTransition=u;var d=[];return u.ready.then(function(){for(var e=l.documentElement.getAnimations({subtree:!0}),t=0;t<e.length;t++){var n=e[t],r=n.effect,i=r.pseudoElement;if(i!=null&&i.startsWith(`::view-transition`)){d.push(n),n=r.getKeyframes();for(var a=i=void 0,s=!0,c=0;c<n.length;c++){var u=n[c],f=u.width;if(i===void 0)i=f;else if(i!==f){s=!1;break}if(f=u.height,a===void 0)a=f;else if(a!==f){s=!1;break}delete u.width,delete u.height,u.transform===`none`&&delete u.transform}s&&i!==void 0&&a!==void 0&&(r.setKeyframes(n),s=getComputedStyle(r.target,r.pseudoElement),s.width!==i||s.height!==a)&&(s=n[0],s.width=i,s.height=a,s=n[n.length-1],s.width=i,s.height=a,r.setKeyframes(n))}}o()},function(e){l.__reactViewTransition===u&&(l.__reactViewTransition=null);try{if(typeof e==`object`&&e)switch(e.name){case`InvalidStateError`:(e.message===`View transition was skipped because document visibility state is hidden.`||e.message===`Skipping view transition because document visibility state has become hidden.`||e.message===`Skipping view transition because viewport size changed.`||e.message===`Transition was aborted because of invalid state`)&&(e=null)}e!==null&&c(e)}finally{r(),i(),o()}}),u.finished.finally(function(){for(var e=0;e<d.length;e++)d[e].cancel();l.__reactViewTransition===u&&(l.__reactViewTransition=null),s()}),u}catch{return r(),i(),o(),null}}function Np(e,t){this._scope=document.documentElement,this._selector=`::view-transition-`+e+`(`+t+`)`}Np.prototype.animate=function(e,t){return t=typeof t==`number`?{duration:t}:T({},t),t.pseudoElement=this._selector,this._scope.animate(e,t)},Np.prototype.getAnimations=function(){for(var e=this._scope,t=this._selector,n=e.getAnimations({subtree:!0}),r=[],i=0;i<n.length;i++){var a=n[i].effect;a!==null&&a.target===e&&a.pseudoElement===t&&r.push(n[i])}return r},Np.prototype.getComputedStyle=function(){return getComputedStyle(this._scope,this._selector)};function Pp(e){return{name:e,group:new Np(`group`,e),imagePair:new Np(`image-pair`,e),old:new Np(`old`,e),new:new Np(`new`,e)}}function Fp(e){this._fragmentFiber=e,this._observers=this._eventListeners=null}Fp.prototype.addEventListener=function(e,t,n){var r=null,i=null;if(!(n!=null&&typeof n!=`boolean`&&(r=n.signal||null,r!==null&&r.aborted))){this._eventListeners===null&&(this._eventListeners=[]);var a=this._eventListeners;if(Bp(a,e,t,n)===-1){var o=this,s=t;n!=null&&typeof n!=`boolean`&&!0===n.once&&(s=function(r){o.removeEventListener(e,t,n),typeof t==`function`?t.call(this,r):t.handleEvent(r)}),r!==null&&(i=o.removeEventListener.bind(o,e,t,n),r.addEventListener(`abort`,i,{once:!0}),i=r.removeEventListener.bind(r,`abort`,i)),r=Rp(n),a.push({type:e,listener:t,optionsOrUseCapture:n,attachedListener:s,cleanup:i}),h(this._fragmentFiber.child,!1,Ip,e,s,r)}this._eventListeners=a}};function Ip(e,t,n,r){return b(e).addEventListener(t,n,r),!1}Fp.prototype.removeEventListener=function(e,t,n){var r=this._eventListeners;if(r!==null&&(t=Bp(r,e,t,n),t!==-1)){var i=r[t];n=i.attachedListener;var a=i.cleanup;i=Rp(i.optionsOrUseCapture),h(this._fragmentFiber.child,!1,Lp,e,n,i),r.splice(t,1),a!==null&&a()}};function Lp(e,t,n,r){return b(e).removeEventListener(t,n,r),!1}function Rp(e){return e!=null&&typeof e!=`boolean`&&(!0===e.once||e.signal instanceof AbortSignal)?{capture:e.capture,passive:e.passive}:e}function zp(e){return e==null?`c=0`:typeof e==`boolean`?`c=`+(e?`1`:`0`):`c=`+(e.capture?`1`:`0`)}function Bp(e,t,n,r){if(e.length===0)return-1;r=zp(r);for(var i=0;i<e.length;i++){var a=e[i];if(a.type===t&&a.listener===n&&zp(a.optionsOrUseCapture)===r)return i}return-1}Fp.prototype.dispatchEvent=function(e){var t=g(this._fragmentFiber);if(t===null)return!0;t=b(t);var n=this._eventListeners;if(n!==null&&0<n.length||!e.bubbles){var r=t.nodeType===9?t.createComment(``):document.createTextNode(``);if(n)for(var i=0;i<n.length;i++){var a=n[i];r.addEventListener(a.type,a.attachedListener,Rp(a.optionsOrUseCapture))}if(t.appendChild(r),e=r.dispatchEvent(e),n)for(i=0;i<n.length;i++)a=n[i],r.removeEventListener(a.type,a.attachedListener,Rp(a.optionsOrUseCapture));return t.removeChild(r),e}return t.dispatchEvent(e)},Fp.prototype.focus=function(e){h(this._fragmentFiber.child,!0,Vp,e,void 0,void 0)};function Vp(e,t){return e.tag!==6&&(e=b(e),pm(e,t))}Fp.prototype.focusLast=function(e){var t=[];h(this._fragmentFiber.child,!0,Hp,t,void 0,void 0);for(var n=t.length-1;0<=n&&!Vp(t[n],e);n--);};function Hp(e,t){return t.push(e),!1}Fp.prototype.blur=function(){var e=g(this._fragmentFiber);e!==null&&(e=b(e),e=lp(e).activeElement,e!==null&&h(this._fragmentFiber.child,!1,Up,e,void 0,void 0))};function Up(e,t){return e.tag!==6&&(e=b(e),e===t||e.contains(t)?(t.blur(),!0):!1)}Fp.prototype.observeUsing=function(e){this._observers===null&&(this._observers=new Set),this._observers.add(e),h(this._fragmentFiber.child,!1,Wp,e,void 0,void 0)};function Wp(e,t){return e.tag===6||(e=b(e),t.observe(e)),!1}Fp.prototype.unobserveUsing=function(e){var t=this._observers;if(t!==null&&t.has(e)){t.delete(e),h(this._fragmentFiber.child,!1,Gp,e,void 0,void 0);for(var n=t=0;n<Kp.length;n++){var r=Kp[n];r.fragmentInstance===this&&r.observer===e?e.unobserve(r.instance):Kp[t++]=r}Kp.length=t}};function Gp(e,t){return e.tag===6||(e=b(e),t.unobserve(e)),!1}var Kp=[],qp=!1;function Jp(e,t,n){Kp.push({fragmentInstance:e,observer:t,instance:n}),qp||(qp=!0,mm(function(){qp=!1;var e=Kp;Kp=[];for(var t=0;t<e.length;t++){var n=e[t];n.observer.unobserve(n.instance)}}))}Fp.prototype.getClientRects=function(){var e=[];return h(this._fragmentFiber.child,!1,Yp,e,void 0,void 0),e};function Yp(e,t){if(e.tag===6){e=e.stateNode;var n=e.ownerDocument.createRange();n.selectNodeContents(e),t.push.apply(t,n.getClientRects())}else e=b(e),t.push.apply(t,e.getClientRects());return!1}Fp.prototype.getRootNode=function(e){var t=g(this._fragmentFiber);return t===null?this:b(t).getRootNode(e)},Fp.prototype.compareDocumentPosition=function(e){var t=g(this._fragmentFiber);if(t===null)return Node.DOCUMENT_POSITION_DISCONNECTED;var n=[];h(this._fragmentFiber.child,!1,Hp,n,void 0,void 0);var r=b(t);if(n.length===0){if(n=r,_(this._fragmentFiber)){a:{for(t=this._fragmentFiber.return;t!==null;){if(t.tag===4){t=t.stateNode.containerInfo;break a}if(t.tag===3||t.tag===5||t.tag===27)break;t=t.return}t=null}t!=null&&(n=t)}t=this._fragmentFiber;var i=r=n.compareDocumentPosition(e);return n===e?i=Node.DOCUMENT_POSITION_CONTAINS:r&Node.DOCUMENT_POSITION_CONTAINED_BY&&(n=v(t)[1],n===null?i=Node.DOCUMENT_POSITION_PRECEDING:(e=b(n).compareDocumentPosition(e),i=e===0||e&Node.DOCUMENT_POSITION_FOLLOWING?Node.DOCUMENT_POSITION_FOLLOWING:Node.DOCUMENT_POSITION_PRECEDING)),i|=Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC}t=b(n[0]),i=b(n[n.length-1]);var a=_(this._fragmentFiber)?t.parentElement:r;if(a==null)return Node.DOCUMENT_POSITION_DISCONNECTED;r=a.compareDocumentPosition(t)&Node.DOCUMENT_POSITION_CONTAINED_BY,a=a.compareDocumentPosition(i)&Node.DOCUMENT_POSITION_CONTAINED_BY;var o=t.compareDocumentPosition(e),s=i.compareDocumentPosition(e),c=o&Node.DOCUMENT_POSITION_CONTAINED_BY||s&Node.DOCUMENT_POSITION_CONTAINED_BY;return s=r&&a&&o&Node.DOCUMENT_POSITION_FOLLOWING&&s&Node.DOCUMENT_POSITION_PRECEDING,t=r&&t===e||a&&i===e||c||s?Node.DOCUMENT_POSITION_CONTAINED_BY:!r&&t===e||!a&&i===e?Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC:o,t&Node.DOCUMENT_POSITION_DISCONNECTED||t&Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC||Xp(t,this._fragmentFiber,n[0],n[n.length-1],e)?t:Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC};function Xp(e,t,n,r,i){var a=Vt(i);if(e&Node.DOCUMENT_POSITION_CONTAINED_BY){if(n=!!a)a:{for(;a!==null;){if(a.tag===7&&(a===t||a.alternate===t)){n=!0;break a}a=a.return}n=!1}return n}if(e&Node.DOCUMENT_POSITION_CONTAINS){if(a===null)return a=i.ownerDocument,i===a||i===a.documentElement||i===a.body;a:{for(a=t,t=g(t);a!==null;){if(!(a.tag!==5&&a.tag!==3&&a.tag!==27||a!==t&&a.alternate!==t)){a=!0;break a}a=a.return}a=!1}return a}return e&Node.DOCUMENT_POSITION_PRECEDING?((t=!!a)&&!(t=a===n)&&(t=te(n,a,w),t===null?t=!1:(h(t,!0,C,a,n),a=x,x=null,t=a!==null)),t):e&Node.DOCUMENT_POSITION_FOLLOWING?((t=!!a)&&!(t=a===r)&&(t=te(r,a,w),t===null?t=!1:(h(t,!0,ee,a,r),a=x,S=x=null,t=a!==null)),t):!1}function Zp(e,t){var n=e.ownerDocument.createRange();n.selectNodeContents(e),e=n.getBoundingClientRect(),window.scrollTo(window.scrollX+e.left,t?window.scrollY+e.top:window.scrollY+e.bottom-window.innerHeight)}Fp.prototype.scrollIntoView=function(e){if(typeof e==`object`)throw Error(i(566));var t=[];h(this._fragmentFiber.child,!1,Hp,t,void 0,void 0);var n=!1!==e;if(t.length===0){var r=v(this._fragmentFiber);if(r=n?r[1]||r[0]||g(this._fragmentFiber):r[0]||r[1],r===null)return;if(r.tag===6){e=b(r),Zp(e,n);return}if(r=b(r),r.nodeType!==9){if(r.nodeType===11){n=`host`in r?r.host:null,n!==null&&n.scrollIntoView(e);return}r.scrollIntoView(e)}}for(r=n?t.length-1:0;r!==(n?-1:t.length);){var a=t[r];a.tag===6?(a=b(a),Zp(a,n)):b(a).scrollIntoView(e),r+=n?-1:1}};function Qp(e,t){return e=b(e),$p(e,t),!1}function $p(e,t){e.reactFragments??=new Set,e.reactFragments.add(t)}function em(e,t){var n=t._eventListeners;if(n!==null)for(var r=0;r<n.length;r++){var i=n[r];e.addEventListener(i.type,i.attachedListener,Rp(i.optionsOrUseCapture))}e.nodeType!==3&&(n=t._observers,n!==null&&n.forEach(function(n){for(var r=0,i=0;i<Kp.length;i++){var a=Kp[i];(a.fragmentInstance!==t||a.observer!==n||a.instance!==e)&&(Kp[r++]=a)}Kp.length=r,n.observe(e)}),$p(e,t))}function tm(e,t){var n=t._eventListeners;if(n!==null)for(var r=0;r<n.length;r++){var i=n[r];e.removeEventListener(i.type,i.attachedListener,Rp(i.optionsOrUseCapture))}e.nodeType!==3&&(n=t._observers,n!==null&&n.forEach(function(n){typeof n.rootMargin==`string`?Jp(t,n,e):n.unobserve(e)}),e.reactFragments!=null&&e.reactFragments.delete(t))}function nm(e){var t=e.firstChild;for(t&&t.nodeType===10&&(t=t.nextSibling);t;){var n=t;switch(t=t.nextSibling,n.nodeName){case`HTML`:case`HEAD`:case`BODY`:nm(n),Bt(n);continue;case`SCRIPT`:case`STYLE`:continue;case`LINK`:if(n.rel.toLowerCase()===`stylesheet`)continue}e.removeChild(n)}}function rm(e,t,n,r){for(;e.nodeType===1;){var i=n;if(e.nodeName.toLowerCase()!==t.toLowerCase()){if(!r&&(e.nodeName!==`INPUT`||e.type!==`hidden`))break}else if(!r){if(t===`input`&&e.type===`hidden`){var a=i.name==null?null:``+i.name;if(i.type===`hidden`&&e.getAttribute(`name`)===a)return e}else return e}else if(!e[Rt])switch(t){case`meta`:if(!e.hasAttribute(`itemprop`))break;return e;case`link`:if(a=e.getAttribute(`rel`),a===`stylesheet`&&e.hasAttribute(`data-precedence`)||a!==i.rel||e.getAttribute(`href`)!==(i.href==null||i.href===``?null:i.href)||e.getAttribute(`crossorigin`)!==(i.crossOrigin==null?null:i.crossOrigin)||e.getAttribute(`title`)!==(i.title==null?null:i.title))break;return e;case`style`:if(e.hasAttribute(`data-precedence`))break;return e;case`script`:if(a=e.getAttribute(`src`),(a!==(i.src==null?null:i.src)||e.getAttribute(`type`)!==(i.type==null?null:i.type)||e.getAttribute(`crossorigin`)!==(i.crossOrigin==null?null:i.crossOrigin))&&a&&e.hasAttribute(`async`)&&!e.hasAttribute(`itemprop`))break;return e;default:return e}if(e=lm(e.nextSibling),e===null)break}return null}function im(e,t,n){if(t===``)return null;for(;e.nodeType!==3;)if((e.nodeType!==1||e.nodeName!==`INPUT`||e.type!==`hidden`)&&!n||(e=lm(e.nextSibling),e===null))return null;return e}function am(e,t){for(;e.nodeType!==8;)if((e.nodeType!==1||e.nodeName!==`INPUT`||e.type!==`hidden`)&&!t||(e=lm(e.nextSibling),e===null))return null;return e}function om(e){return e.data===`$?`||e.data===`$~`}function sm(e){return e.data===`$!`||e.data===`$?`&&e.ownerDocument.readyState!==`loading`}function cm(e,t){var n=e.ownerDocument;if(e.data===`$~`)e._reactRetry=t;else if(e.data!==`$?`||n.readyState!==`loading`)t();else{var r=function(){t(),n.removeEventListener(`DOMContentLoaded`,r)};n.addEventListener(`DOMContentLoaded`,r),e._reactRetry=r}}function lm(e){for(;e!=null;e=e.nextSibling){var t=e.nodeType;if(t===1||t===3)break;if(t===8){if(t=e.data,t===`$`||t===`$!`||t===`$?`||t===`$~`||t===`&`||t===`F!`||t===`F`)break;if(t===`/$`||t===`/&`)return null}}return e}var um=null;function dm(e){e=e.nextSibling;for(var t=0;e;){if(e.nodeType===8){var n=e.data;if(n===`/$`||n===`/&`){if(t===0)return lm(e.nextSibling);t--}else n!==`$`&&n!==`$!`&&n!==`$?`&&n!==`$~`&&n!==`&`||t++}e=e.nextSibling}return null}function fm(e){e=e.previousSibling;for(var t=0;e;){if(e.nodeType===8){var n=e.data;if(n===`$`||n===`$!`||n===`$?`||n===`$~`||n===`&`){if(t===0)return e;t--}else n!==`/$`&&n!==`/&`||t++}e=e.previousSibling}return null}function pm(e,t){function n(){r=!0}if(e.ownerDocument.activeElement===e)return!0;var r=!1;try{e.ownerDocument.addEventListener(`focus`,n,!0),(e.focus||HTMLElement.prototype.focus).call(e,t)}finally{e.ownerDocument.removeEventListener(`focus`,n,!0)}return r}function mm(e){yp(function(){yp(function(t){return e(t)})})}function hm(e,t,n){switch(t=lp(n),e){case`html`:if(e=t.documentElement,!e)throw Error(i(452));return e;case`head`:if(e=t.head,!e)throw Error(i(453));return e;case`body`:if(e=t.body,!e)throw Error(i(454));return e;default:throw Error(i(451))}}function gm(e,t,n){for(var r in n){var i=n[r];n.hasOwnProperty(r)&&i!=null&&$(e,t,r,null,rp,i)}n.dangerouslySetInnerHTML!=null&&(e.textContent=``),e.onclick===Dn&&(e.onclick=null),Bt(e)}function _m(e){for(var t=e.attributes;t.length;)e.removeAttributeNode(t[0]);Bt(e)}var vm=new Map,ym=new Set;function bm(e){if(typeof e.getRootNode==`function`){var t=e.getRootNode();if(t.nodeType===9||t.nodeType===11)return t}return e.nodeType===9?e:e.ownerDocument}var xm=D.d;D.d={f:Sm,r:Cm,D:Em,C:Dm,L:Om,m:km,X:jm,S:Am,M:Mm};function Sm(){var e=xm.f(),t=zd();return e||t}function Cm(e){var t=Ht(e);t!==null&&t.tag===5&&t.type===`form`?ec(t):xm.r(e)}var wm=typeof document>`u`?null:document;function Tm(e,t,n){var r=wm;if(r&&typeof t==`string`&&t){var i=fn(t);i=`link[rel="`+e+`"][href="`+i+`"]`,typeof n==`string`&&(i+=`[crossorigin="`+n+`"]`),ym.has(i)||(ym.add(i),e={rel:e,crossOrigin:n,href:t},r.querySelector(i)===null&&(t=r.createElement(`link`),np(t,`link`,e),Gt(t),r.head.appendChild(t)))}}function Em(e){xm.D(e),Tm(`dns-prefetch`,e,null)}function Dm(e,t){xm.C(e,t),Tm(`preconnect`,e,t)}function Om(e,t,n){xm.L(e,t,n);var r=wm;if(r&&e&&t){var i=`link[rel="preload"][as="`+fn(t)+`"]`;t===`image`&&n&&n.imageSrcSet?(i+=`[imagesrcset="`+fn(n.imageSrcSet)+`"]`,typeof n.imageSizes==`string`&&(i+=`[imagesizes="`+fn(n.imageSizes)+`"]`)):i+=`[href="`+fn(e)+`"]`;var a=i;switch(t){case`style`:a=Pm(e);break;case`script`:a=Rm(e)}if(!(vm.has(a)||(e=T({rel:`preload`,href:t===`image`&&n&&n.imageSrcSet?void 0:e,as:t},n),vm.set(a,e),r.querySelector(i)!==null||t===`style`&&r.querySelector(Fm(a))||t===`script`&&r.querySelector(zm(a))))){var o=r.createElement(`link`);np(o,`link`,e),t===`style`&&(o[zt]=!0,o.onload=o.onerror=function(){Kt(o)}),Gt(o),r.head.appendChild(o)}}}function km(e,t){xm.m(e,t);var n=wm;if(n&&e){var r=t&&typeof t.as==`string`?t.as:`script`,i=`link[rel="modulepreload"][as="`+fn(r)+`"][href="`+fn(e)+`"]`,a=i;switch(r){case`audioworklet`:case`paintworklet`:case`serviceworker`:case`sharedworker`:case`worker`:case`script`:a=Rm(e)}if(!vm.has(a)&&(e=T({rel:`modulepreload`,href:e},t),vm.set(a,e),n.querySelector(i)===null)){switch(r){case`audioworklet`:case`paintworklet`:case`serviceworker`:case`sharedworker`:case`worker`:case`script`:if(n.querySelector(zm(a)))return}r=n.createElement(`link`),np(r,`link`,e),Gt(r),n.head.appendChild(r)}}}function Am(e,t,n){xm.S(e,t,n);var r=wm;if(r&&e){var i=Wt(r).hoistableStyles,a=Pm(e);t||=`default`;var o=i.get(a);if(!o){var s={loading:0,preload:null};if(o=r.querySelector(Fm(a)))s.loading=5;else{e=T({rel:`stylesheet`,href:e,"data-precedence":t},n),(n=vm.get(a))&&Hm(e,n);var c=o=r.createElement(`link`);Gt(c),np(c,`link`,e),c._p=new Promise(function(e,t){c.onload=e,c.onerror=t}),c.addEventListener(`load`,function(){s.loading|=1}),c.addEventListener(`error`,function(){s.loading|=2}),s.loading|=4,Vm(o,t,r)}o={type:`stylesheet`,instance:o,count:1,state:s},i.set(a,o)}}}function jm(e,t){xm.X(e,t);var n=wm;if(n&&e){var r=Wt(n).hoistableScripts,i=Rm(e),a=r.get(i);a||(a=n.querySelector(zm(i)),a||(e=T({src:e,async:!0},t),(t=vm.get(i))&&Um(e,t),a=n.createElement(`script`),Gt(a),np(a,`link`,e),n.head.appendChild(a)),a={type:`script`,instance:a,count:1,state:null},r.set(i,a))}}function Mm(e,t){xm.M(e,t);var n=wm;if(n&&e){var r=Wt(n).hoistableScripts,i=Rm(e),a=r.get(i);a||(a=n.querySelector(zm(i)),a||(e=T({src:e,async:!0,type:`module`},t),(t=vm.get(i))&&Um(e,t),a=n.createElement(`script`),Gt(a),np(a,`link`,e),n.head.appendChild(a)),a={type:`script`,instance:a,count:1,state:null},r.set(i,a))}}function Nm(e,t,n,r){var a=(a=je.current)?bm(a):null;if(!a)throw Error(i(446));switch(e){case`meta`:case`title`:return null;case`style`:return typeof n.precedence==`string`&&typeof n.href==`string`?(n=Pm(n.href),t=Wt(a).hoistableStyles,r=t.get(n),r||(r={type:`style`,instance:null,count:0,state:null},t.set(n,r)),r):{type:`void`,instance:null,count:0,state:null};case`link`:if(n.rel===`stylesheet`&&typeof n.href==`string`&&typeof n.precedence==`string`){e=Pm(n.href);var o=Wt(a).hoistableStyles,s=o.get(e);if(s||(a=a.ownerDocument||a,s={type:`stylesheet`,instance:null,count:0,state:{loading:0,preload:null}},o.set(e,s),(o=a.querySelector(Fm(e)))?o._p||(s.instance=o,s.state.loading=5):(o=vm.get(e),o||(o={rel:`preload`,as:`style`,href:n.href,crossOrigin:n.crossOrigin,integrity:n.integrity,media:n.media,hrefLang:n.hrefLang,referrerPolicy:n.referrerPolicy},vm.set(e,o)),Lm(a,e,o,s.state))),t&&r===null)throw Error(i(528,``));return s}if(t&&r!==null)throw Error(i(529,``));return null;case`script`:return t=n.async,n=n.src,typeof n==`string`&&t&&typeof t!=`function`&&typeof t!=`symbol`?(n=Rm(n),t=Wt(a).hoistableScripts,r=t.get(n),r||(r={type:`script`,instance:null,count:0,state:null},t.set(n,r)),r):{type:`void`,instance:null,count:0,state:null};default:throw Error(i(444,e))}}function Pm(e){return`href="`+fn(e)+`"`}function Fm(e){return`link[rel="stylesheet"][`+e+`]`}function Im(e){return T({},e,{"data-precedence":e.precedence,precedence:null})}function Lm(e,t,n,r){if(t=e.querySelector(`link[rel="preload"][as="style"][`+t+`]`)){if(!0!==t[zt]){r.loading=1;return}}else t=e.createElement(`link`),t[zt]=!0,t.onload=t.onerror=Kt.bind(null,t),np(t,`link`,n),Gt(t),e.head.appendChild(t);r.preload=t,t.addEventListener(`load`,function(){return r.loading|=1}),t.addEventListener(`error`,function(){return r.loading|=2})}function Rm(e){return`[src="`+fn(e)+`"]`}function zm(e){return`script[async]`+e}function Bm(e,t,n){if(t.count++,t.instance===null)switch(t.type){case`style`:var r=e.querySelector(`style[data-href~="`+fn(n.href)+`"]`);if(r)return t.instance=r,Gt(r),r;var a=T({},n,{"data-href":n.href,"data-precedence":n.precedence,href:null,precedence:null});return r=(e.ownerDocument||e).createElement(`style`),Gt(r),np(r,`style`,a),Vm(r,n.precedence,e),t.instance=r;case`stylesheet`:a=Pm(n.href);var o=e.querySelector(Fm(a));if(o)return t.state.loading|=4,t.instance=o,Gt(o),o;r=Im(n),(a=vm.get(a))&&Hm(r,a),o=(e.ownerDocument||e).createElement(`link`),Gt(o);var s=o;return s._p=new Promise(function(e,t){s.onload=e,s.onerror=t}),np(o,`link`,r),t.state.loading|=4,Vm(o,n.precedence,e),t.instance=o;case`script`:return o=Rm(n.src),(a=e.querySelector(zm(o)))?(t.instance=a,Gt(a),a):(r=n,(a=vm.get(o))&&(r=T({},n),Um(r,a)),e=e.ownerDocument||e,a=e.createElement(`script`),Gt(a),np(a,`link`,r),e.head.appendChild(a),t.instance=a);case`void`:return null;default:throw Error(i(443,t.type))}else t.type===`stylesheet`&&!(t.state.loading&4)&&(r=t.instance,t.state.loading|=4,Vm(r,n.precedence,e));return t.instance}function Vm(e,t,n){for(var r=n.querySelectorAll(`link[rel="stylesheet"][data-precedence],style[data-precedence]`),i=r.length?r[r.length-1]:null,a=i,o=0;o<r.length;o++){var s=r[o];if(s.dataset.precedence===t)a=s;else if(a!==i)break}a?a.parentNode.insertBefore(e,a.nextSibling):(t=n.nodeType===9?n.head:n,t.insertBefore(e,t.firstChild))}function Hm(e,t){e.crossOrigin??=t.crossOrigin,e.referrerPolicy??=t.referrerPolicy,e.title??=t.title}function Um(e,t){e.crossOrigin??=t.crossOrigin,e.referrerPolicy??=t.referrerPolicy,e.integrity??=t.integrity}var Wm=null;function Gm(e,t,n){if(Wm===null){var r=new Map,i=Wm=new Map;i.set(n,r)}else i=Wm,r=i.get(n),r||(r=new Map,i.set(n,r));if(r.has(e))return r;for(r.set(e,null),n=n.getElementsByTagName(e),i=0;i<n.length;i++){var a=n[i];if(!(a[Rt]||a[jt]||e===`link`&&a.getAttribute(`rel`)===`stylesheet`)&&a.namespaceURI!==`http://www.w3.org/2000/svg`){var o=a.getAttribute(t)||``;o=e+o;var s=r.get(o);s?s.push(a):r.set(o,[a])}}return r}function Km(e,t,n){e=e.ownerDocument||e,e.head.insertBefore(n,t===`title`?e.querySelector(`head > title`):null)}function qm(e,t,n){if(n===1||t.itemProp!=null)return!1;switch(e){case`meta`:case`title`:return!0;case`style`:if(typeof t.precedence!=`string`||typeof t.href!=`string`||t.href===``)break;return!0;case`link`:if(typeof t.rel!=`string`||typeof t.href!=`string`||t.href===``||t.onLoad||t.onError)break;switch(t.rel){case`stylesheet`:return e=t.disabled,typeof t.precedence==`string`&&e==null;default:return!0}case`script`:if(t.async&&typeof t.async!=`function`&&typeof t.async!=`symbol`&&!t.onLoad&&!t.onError&&t.src&&typeof t.src==`string`)return!0}return!1}function Jm(e,t){return e===`img`&&t.src!=null&&t.src!==``&&t.onLoad==null&&t.loading!==`lazy`}function Ym(e){return!(e.type===`stylesheet`&&!(e.state.loading&3))}function Xm(e){return(e.width||100)*(e.height||100)*(typeof devicePixelRatio==`number`?devicePixelRatio:1)*.25}function Zm(e,t){typeof t.decode==`function`&&(e.imgCount++,t.complete||(e.imgBytes+=Xm(t),e.suspenseyImages.push(t)),e=rh.bind(e),t.decode().then(e,e))}function Qm(e,t,n,r){if(n.type===`stylesheet`&&(typeof r.media!=`string`||!1!==matchMedia(r.media).matches)&&!(n.state.loading&4)){if(n.instance===null){var i=Pm(r.href),a=t.querySelector(Fm(i));if(a){t=a._p,typeof t==`object`&&t&&typeof t.then==`function`&&(e.count++,e=nh.bind(e),t.then(e,e)),n.state.loading|=4,n.instance=a,Gt(a);return}a=t.ownerDocument||t,r=Im(r),(i=vm.get(i))&&Hm(r,i),a=a.createElement(`link`),Gt(a);var o=a;o._p=new Promise(function(e,t){o.onload=e,o.onerror=t}),np(a,`link`,r),n.instance=a}e.stylesheets===null&&(e.stylesheets=new Map),e.stylesheets.set(n,t),(t=n.state.preload)&&!(n.state.loading&3)&&(e.count++,n=nh.bind(e),t.addEventListener(`load`,n),t.addEventListener(`error`,n))}}var $m=0;function eh(e,t){return e.stylesheets&&e.count===0&&ah(e,e.stylesheets),0<e.count||0<e.imgCount?function(n){var r=setTimeout(function(){if(e.stylesheets&&ah(e,e.stylesheets),e.unsuspend){var t=e.unsuspend;e.unsuspend=null,t()}},6e4+t);0<e.imgBytes&&$m===0&&($m=62500*op());var i=setTimeout(function(){if(e.waitingForImages=!1,e.count===0&&(e.stylesheets&&ah(e,e.stylesheets),e.unsuspend)){var t=e.unsuspend;e.unsuspend=null,t()}},(e.imgBytes>$m?50:800)+t);return e.unsuspend=n,function(){e.unsuspend=null,clearTimeout(r),clearTimeout(i)}}:null}function th(e){if(e.count===0&&(e.imgCount===0||!e.waitingForImages)){if(e.stylesheets)ah(e,e.stylesheets);else if(e.unsuspend){var t=e.unsuspend;e.unsuspend=null,t()}}}function nh(){this.count--,th(this)}function rh(){this.imgCount--,th(this)}var ih=null;function ah(e,t){e.stylesheets=null,e.unsuspend!==null&&(e.count++,ih=new Map,t.forEach(oh,e),ih=null,nh.call(e))}function oh(e,t){if(!(t.state.loading&4)){var n=ih.get(e);if(n)var r=n.get(null);else{n=new Map,ih.set(e,n);for(var i=e.querySelectorAll(`link[data-precedence],style[data-precedence]`),a=0;a<i.length;a++){var o=i[a];(o.nodeName===`LINK`||o.getAttribute(`media`)!==`not all`)&&(n.set(o.dataset.precedence,o),r=o)}r&&n.set(null,r)}i=t.instance,o=i.getAttribute(`data-precedence`),a=n.get(o)||r,a===r&&n.set(null,i),n.set(o,i),this.count++,r=nh.bind(this),i.addEventListener(`load`,r),i.addEventListener(`error`,r),a?a.parentNode.insertBefore(i,a.nextSibling):(e=e.nodeType===9?e.head:e,e.insertBefore(i,e.firstChild)),t.state.loading|=4}}var sh={$$typeof:le,Provider:null,Consumer:null,_currentValue:Te,_currentValue2:Te,_threadCount:0};function ch(e,t,n,r,i,a,o,s,c){this.tag=1,this.containerInfo=e,this.pingCache=this.current=this.pendingChildren=null,this.timeoutHandle=-1,this.callbackNode=this.next=this.pendingContext=this.context=this.cancelPendingCommit=null,this.callbackPriority=0,this.expirationTimes=bt(-1),this.entangledLanes=this.shellSuspendCounter=this.errorRecoveryDisabledLanes=this.expiredLanes=this.warmLanes=this.pingedLanes=this.suspendedLanes=this.pendingLanes=0,this.entanglements=bt(0),this.hiddenUpdates=bt(null),this.identifierPrefix=r,this.onUncaughtError=i,this.onCaughtError=a,this.onRecoverableError=o,this.pooledCache=null,this.pooledCacheLanes=0,this.formState=c,this.transitionTypes=null,this.incompleteTransitions=new Map}function lh(e,t,n,r,i,a,o,s,c,l,u,d){return e=new ch(e,t,n,o,c,l,u,d,s),t=1,!0===a&&(t|=24),a=zi(3,null,null,t),e.current=a,a.stateNode=e,t=Pa(),t.refCount++,e.pooledCache=t,t.refCount++,a.memoizedState={element:r,isDehydrated:n,cache:t},_o(a),e}function uh(e){return e?(e=Li,e):Li}function dh(e,t,n,r,i,a){i=uh(i),r.context===null?r.context=i:r.pendingContext=i,r=yo(t),r.payload={element:n},a=a===void 0?null:a,a!==null&&(r.callback=a),n=bo(e,r,t),n!==null&&(Pd(n,e,t),xo(n,e,t))}function fh(e,t){if(e=e.memoizedState,e!==null&&e.dehydrated!==null){var n=e.retryLane;e.retryLane=n!==0&&n<t?n:t}}function ph(e,t){fh(e,t),(e=e.alternate)&&fh(e,t)}function mh(e){if(e.tag===13||e.tag===31){var t=Pi(e,67108864);t!==null&&Pd(t,e,67108864),ph(e,67108864)}}function hh(e){if(e.tag===13||e.tag===31){var t=jd();t=Et(t);var n=Pi(e,t);n!==null&&Pd(n,e,t),ph(e,t)}}var gh=!0;function _h(e,t,n,r){var i=E.T;E.T=null;var a=D.p;try{D.p=2,yh(e,t,n,r)}finally{D.p=a,E.T=i}}function vh(e,t,n,r){var i=E.T;E.T=null;var a=D.p;try{D.p=8,yh(e,t,n,r)}finally{D.p=a,E.T=i}}function yh(e,t,n,r){if(gh){var i=bh(r);if(i===null)Kf(e,t,r,xh,n),Mh(e,r);else if(Ph(i,e,t,n,r))r.stopPropagation();else if(Mh(e,r),t&4&&-1<jh.indexOf(e)){for(;i!==null;){var a=Ht(i);if(a!==null)switch(a.tag){case 3:if(a=a.stateNode,a.current.memoizedState.isDehydrated){var o=mt(a.pendingLanes);if(o!==0){var s=a;for(s.pendingLanes|=2,s.entangledLanes|=2;o;){var c=1<<31-st(o);s.entanglements[1]|=c,o&=~c}Ef(a),!(q&6)&&(gd=Ye()+500,Df(0,!1))}}break;case 31:case 13:s=Pi(a,2),s!==null&&Pd(s,a,2),zd(),ph(a,2)}if(a=bh(r),a===null&&Kf(e,t,r,xh,n),a===i)break;i=a}i!==null&&r.stopPropagation()}else Kf(e,t,r,null,n)}}function bh(e){return e=kn(e),Sh(e)}var xh=null;function Sh(e){if(xh=null,e=Vt(e),e!==null){var t=o(e);if(t===null)e=null;else{var n=t.tag;if(n===13){if(e=s(t),e!==null)return e;e=null}else if(n===31){if(e=c(t),e!==null)return e;e=null}else if(n===3){if(t.stateNode.current.memoizedState.isDehydrated)return t.tag===3?t.stateNode.containerInfo:null;e=null}else t!==e&&(e=null)}}return xh=e,null}function Ch(e){switch(e){case`beforetoggle`:case`cancel`:case`click`:case`close`:case`contextmenu`:case`copy`:case`cut`:case`auxclick`:case`dblclick`:case`dragend`:case`dragstart`:case`drop`:case`focusin`:case`focusout`:case`input`:case`invalid`:case`keydown`:case`keypress`:case`keyup`:case`mousedown`:case`mouseup`:case`paste`:case`pause`:case`play`:case`pointercancel`:case`pointerdown`:case`pointerup`:case`ratechange`:case`reset`:case`seeked`:case`submit`:case`toggle`:case`touchcancel`:case`touchend`:case`touchstart`:case`volumechange`:case`change`:case`selectionchange`:case`textInput`:case`compositionstart`:case`compositionend`:case`compositionupdate`:case`beforeblur`:case`afterblur`:case`beforeinput`:case`blur`:case`fullscreenchange`:case`fullscreenerror`:case`focus`:case`hashchange`:case`popstate`:case`select`:case`selectstart`:return 2;case`drag`:case`dragenter`:case`dragexit`:case`dragleave`:case`dragover`:case`mousemove`:case`mouseout`:case`mouseover`:case`pointermove`:case`pointerout`:case`pointerover`:case`resize`:case`scroll`:case`touchmove`:case`wheel`:case`mouseenter`:case`mouseleave`:case`pointerenter`:case`pointerleave`:return 8;case`message`:switch(Xe()){case Ze:return 2;case Qe:return 8;case $e:case et:return 32;case tt:return 268435456;default:return 32}default:return 32}}var wh=!1,Th=null,Eh=null,Dh=null,Oh=new Map,kh=new Map,Ah=[],jh=`mousedown mouseup touchcancel touchend touchstart auxclick dblclick pointercancel pointerdown pointerup dragend dragstart drop compositionend compositionstart keydown keypress keyup input textInput copy cut paste click change contextmenu reset`.split(` `);function Mh(e,t){switch(e){case`focusin`:case`focusout`:Th=null;break;case`dragenter`:case`dragleave`:Eh=null;break;case`mouseover`:case`mouseout`:Dh=null;break;case`pointerover`:case`pointerout`:Oh.delete(t.pointerId);break;case`gotpointercapture`:case`lostpointercapture`:kh.delete(t.pointerId)}}function Nh(e,t,n,r,i,a){return e===null||e.nativeEvent!==a?(e={blockedOn:t,domEventName:n,eventSystemFlags:r,nativeEvent:a,targetContainers:[i]},t!==null&&(t=Ht(t),t!==null&&mh(t)),e):(e.eventSystemFlags|=r,t=e.targetContainers,i!==null&&t.indexOf(i)===-1&&t.push(i),e)}function Ph(e,t,n,r,i){switch(t){case`focusin`:return Th=Nh(Th,e,t,n,r,i),!0;case`dragenter`:return Eh=Nh(Eh,e,t,n,r,i),!0;case`mouseover`:return Dh=Nh(Dh,e,t,n,r,i),!0;case`pointerover`:var a=i.pointerId;return Oh.set(a,Nh(Oh.get(a)||null,e,t,n,r,i)),!0;case`gotpointercapture`:return a=i.pointerId,kh.set(a,Nh(kh.get(a)||null,e,t,n,r,i)),!0}return!1}function Fh(e){var t=Vt(e.target);if(t!==null){var n=o(t);if(n!==null){if(t=n.tag,t===13){if(t=s(n),t!==null){e.blockedOn=t,kt(e.priority,function(){hh(n)});return}}else if(t===31){if(t=c(n),t!==null){e.blockedOn=t,kt(e.priority,function(){hh(n)});return}}else if(t===3&&n.stateNode.current.memoizedState.isDehydrated){e.blockedOn=n.tag===3?n.stateNode.containerInfo:null;return}}}e.blockedOn=null}function Ih(e){if(e.blockedOn!==null)return!1;for(var t=e.targetContainers;0<t.length;){var n=bh(e.nativeEvent);if(n===null){n=e.nativeEvent;var r=new n.constructor(n.type,n);On=r,n.target.dispatchEvent(r),On=null}else return t=Ht(n),t!==null&&mh(t),e.blockedOn=n,!1;t.shift()}return!0}function Lh(e,t,n){Ih(e)&&n.delete(t)}function Rh(){wh=!1,Th!==null&&Ih(Th)&&(Th=null),Eh!==null&&Ih(Eh)&&(Eh=null),Dh!==null&&Ih(Dh)&&(Dh=null),Oh.forEach(Lh),kh.forEach(Lh)}function zh(e,n){e.blockedOn===n&&(e.blockedOn=null,wh||(wh=!0,t.unstable_scheduleCallback(t.unstable_NormalPriority,Rh)))}var Bh=null;function Vh(e){Bh!==e&&(Bh=e,t.unstable_scheduleCallback(t.unstable_NormalPriority,function(){Bh===e&&(Bh=null);for(var t=0;t<e.length;t+=3){var n=e[t],r=e[t+1],i=e[t+2];if(typeof r!=`function`){if(Sh(r||n)===null)continue;break}var a=Ht(n);a!==null&&(e.splice(t,3),t-=3,Qs(a,{pending:!0,data:i,method:n.method,action:r},r,i))}}))}function Hh(e){function t(t){return zh(t,e)}Th!==null&&zh(Th,e),Eh!==null&&zh(Eh,e),Dh!==null&&zh(Dh,e),Oh.forEach(t),kh.forEach(t);for(var n=0;n<Ah.length;n++){var r=Ah[n];r.blockedOn===e&&(r.blockedOn=null)}for(;0<Ah.length&&(n=Ah[0],n.blockedOn===null);)Fh(n),n.blockedOn===null&&Ah.shift();if(n=(e.ownerDocument||e).$$reactFormReplay,n!=null)for(r=0;r<n.length;r+=3){var i=n[r],a=n[r+1],o=i[Mt]||null;if(typeof a==`function`)o||Vh(n);else if(o){var s=null;if(a&&a.hasAttribute(`formAction`)){if(i=a,o=a[Mt]||null)s=o.formAction;else if(Sh(i)!==null)continue}else s=o.action;typeof s==`function`?n[r+1]=s:(n.splice(r,3),r-=3),Vh(n)}}}function Uh(){function e(e){e.canIntercept&&e.info===`react-transition`&&e.intercept({handler:function(){return new Promise(function(e){return i=e})},focusReset:`manual`,scroll:`manual`})}function t(){i!==null&&(i(),i=null),r||setTimeout(n,20)}function n(){if(!r&&!navigation.transition){var e=navigation.currentEntry;e&&e.url!=null&&navigation.navigate(e.url,{state:e.getState(),info:`react-transition`,history:`replace`})}}if(typeof navigation==`object`){var r=!1,i=null;return navigation.addEventListener(`navigate`,e),navigation.addEventListener(`navigatesuccess`,t),navigation.addEventListener(`navigateerror`,t),setTimeout(n,100),function(){r=!0,navigation.removeEventListener(`navigate`,e),navigation.removeEventListener(`navigatesuccess`,t),navigation.removeEventListener(`navigateerror`,t),i!==null&&(i(),i=null)}}}function Wh(e){this._internalRoot=e}Gh.prototype.render=Wh.prototype.render=function(e){var t=this._internalRoot;if(t===null)throw Error(i(409));var n=t.current;dh(n,jd(),e,t,null,null)},Gh.prototype.unmount=Wh.prototype.unmount=function(){var e=this._internalRoot;if(e!==null){this._internalRoot=null;var t=e.containerInfo;dh(e.current,2,null,e,null,null),zd(),t[Nt]=null}};function Gh(e){this._internalRoot=e}Gh.prototype.unstable_scheduleHydration=function(e){if(e){var t=Ot();e={blockedOn:null,target:e,priority:t};for(var n=0;n<Ah.length&&t!==0&&t<Ah[n].priority;n++);Ah.splice(n,0,e),n===0&&Fh(e)}};var Kh=n.version;if(Kh!==`19.3.1`)throw Error(i(527,Kh,`19.3.1`));D.findDOMNode=function(e){var t=e._reactInternals;if(t===void 0)throw typeof e.render==`function`?Error(i(188)):(e=Object.keys(e).join(`,`),Error(i(268,e)));return e=d(t),e=e===null?null:p(e),e=e===null?null:e.stateNode,e};var qh={bundleType:0,version:`19.3.1`,rendererPackageName:`react-dom`,currentDispatcherRef:E,reconcilerVersion:`19.3.1`};if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`){var Jh=__REACT_DEVTOOLS_GLOBAL_HOOK__;if(!Jh.isDisabled&&Jh.supportsFiber)try{it=Jh.inject(qh),at=Jh}catch{}}e.createRoot=function(e,t){if(!a(e))throw Error(i(299));var n=!1,r=``,o=xc,s=Sc,c=Cc;return t!=null&&(!0===t.unstable_strictMode&&(n=!0),t.identifierPrefix!==void 0&&(r=t.identifierPrefix),t.onUncaughtError!==void 0&&(o=t.onUncaughtError),t.onCaughtError!==void 0&&(s=t.onCaughtError),t.onRecoverableError!==void 0&&(c=t.onRecoverableError)),t=lh(e,1,!1,null,null,n,r,null,o,s,c,Uh),e[Nt]=t.current,Wf(e),new Wh(t)}})),g=o(((e,t)=>{function n(){if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`&&typeof __REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE==`function`)try{__REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE(n)}catch(e){console.error(e)}}n(),t.exports=h()})),_=c(u()),v=g(),y={NAME:`Name`,DOCUMENT:`Document`,OPERATION_DEFINITION:`OperationDefinition`,VARIABLE_DEFINITION:`VariableDefinition`,SELECTION_SET:`SelectionSet`,FIELD:`Field`,ARGUMENT:`Argument`,FRAGMENT_SPREAD:`FragmentSpread`,INLINE_FRAGMENT:`InlineFragment`,FRAGMENT_DEFINITION:`FragmentDefinition`,VARIABLE:`Variable`,INT:`IntValue`,FLOAT:`FloatValue`,STRING:`StringValue`,BOOLEAN:`BooleanValue`,NULL:`NullValue`,ENUM:`EnumValue`,LIST:`ListValue`,OBJECT:`ObjectValue`,OBJECT_FIELD:`ObjectField`,DIRECTIVE:`Directive`,NAMED_TYPE:`NamedType`,LIST_TYPE:`ListType`,NON_NULL_TYPE:`NonNullType`},b=class extends Error{constructor(e,t,n,r,i,a,o){super(e),this.name=`GraphQLError`,this.message=e,i&&(this.path=i),t&&(this.nodes=Array.isArray(t)?t:[t]),n&&(this.source=n),r&&(this.positions=r),a&&(this.originalError=a);var s=o;if(!s&&a){var c=a.extensions;c&&typeof c==`object`&&(s=c)}this.extensions=s||{}}toJSON(){return{...this,message:this.message}}toString(){return this.message}get[Symbol.toStringTag](){return`GraphQLError`}},x,S;function C(e){return new b(`Syntax Error: Unexpected token at ${S} in ${e}`)}function ee(e){if(e.lastIndex=S,e.test(x))return x.slice(S,S=e.lastIndex)}var w=/ +(?=[^\s])/y;function te(e){for(var t=e.split(`
`),n=``,r=0,i=0,a=t.length-1,o=0;o<t.length;o++)w.lastIndex=0,w.test(t[o])&&(o&&(!r||w.lastIndex<r)&&(r=w.lastIndex),i||=o,a=o);for(var s=i;s<=a;s++)s!==i&&(n+=`
`),n+=t[s].slice(r).replace(/\\"""/g,`"""`);return n}function T(){for(var e=0|x.charCodeAt(S++);e===9||e===10||e===13||e===32||e===35||e===44||e===65279;e=0|x.charCodeAt(S++))if(e===35)for(;(e=0|x.charCodeAt(S++))&&e!==10&&e!==13;);S--}function ne(){for(var e=S,t=0|x.charCodeAt(S++);t>=48&&t<=57||t>=65&&t<=90||t===95||t>=97&&t<=122;t=0|x.charCodeAt(S++));if(e===S-1)throw C(`Name`);var n=x.slice(e,--S);return T(),n}function re(){return{kind:`Name`,value:ne()}}var ie=/(?:"""|(?:[\s\S]*?[^\\])""")/y,ae=/(?:(?:\.\d+)?[eE][+-]?\d+|\.\d+)/y;function oe(e){var t;switch(x.charCodeAt(S)){case 91:S++,T();for(var n=[];x.charCodeAt(S)!==93;)n.push(oe(e));return S++,T(),{kind:`ListValue`,values:n};case 123:S++,T();for(var r=[];x.charCodeAt(S)!==125;){var i=re();if(x.charCodeAt(S++)!==58)throw C(`ObjectField`);T(),r.push({kind:`ObjectField`,name:i,value:oe(e)})}return S++,T(),{kind:`ObjectValue`,fields:r};case 36:if(e)throw C(`Variable`);return S++,{kind:`Variable`,name:re()};case 34:if(x.charCodeAt(S+1)===34&&x.charCodeAt(S+2)===34){if(S+=3,(t=ee(ie))==null)throw C(`StringValue`);return T(),{kind:`StringValue`,value:te(t.slice(0,-3)),block:!0}}var a=S,o;S++;var s=!1;for(o=0|x.charCodeAt(S++);o===92&&(S++,s=!0)||o!==10&&o!==13&&o!==34&&o;o=0|x.charCodeAt(S++));if(o!==34)throw C(`StringValue`);return t=x.slice(a,S),T(),{kind:`StringValue`,value:s?JSON.parse(t):t.slice(1,-1),block:!1};case 45:case 48:case 49:case 50:case 51:case 52:case 53:case 54:case 55:case 56:case 57:for(var c=S++,l;(l=0|x.charCodeAt(S++))>=48&&l<=57;);var u=x.slice(c,--S);if((l=x.charCodeAt(S))===46||l===69||l===101){if((t=ee(ae))==null)throw C(`FloatValue`);return T(),{kind:`FloatValue`,value:u+t}}return T(),{kind:`IntValue`,value:u};case 110:if(x.charCodeAt(S+1)===117&&x.charCodeAt(S+2)===108&&x.charCodeAt(S+3)===108)return S+=4,T(),{kind:`NullValue`};break;case 116:if(x.charCodeAt(S+1)===114&&x.charCodeAt(S+2)===117&&x.charCodeAt(S+3)===101)return S+=4,T(),{kind:`BooleanValue`,value:!0};break;case 102:if(x.charCodeAt(S+1)===97&&x.charCodeAt(S+2)===108&&x.charCodeAt(S+3)===115&&x.charCodeAt(S+4)===101)return S+=5,T(),{kind:`BooleanValue`,value:!1}}return{kind:`EnumValue`,value:ne()}}function se(e){if(x.charCodeAt(S)===40){var t=[];S++,T();do{var n=re();if(x.charCodeAt(S++)!==58)throw C(`Argument`);T(),t.push({kind:`Argument`,name:n,value:oe(e)})}while(x.charCodeAt(S)!==41);return S++,T(),t}}function ce(e){if(x.charCodeAt(S)===64){var t=[];do S++,t.push({kind:`Directive`,name:re(),arguments:se(e)});while(x.charCodeAt(S)===64);return t}}function le(){for(var e=0;x.charCodeAt(S)===91;)e++,S++,T();var t={kind:`NamedType`,name:re()};do if(x.charCodeAt(S)===33&&(S++,T(),t={kind:`NonNullType`,type:t}),e){if(x.charCodeAt(S++)!==93)throw C(`NamedType`);T(),t={kind:`ListType`,type:t}}while(e--);return t}function ue(){if(x.charCodeAt(S++)!==123)throw C(`SelectionSet`);return T(),de()}function de(){var e=[];do if(x.charCodeAt(S)===46){if(x.charCodeAt(++S)!==46||x.charCodeAt(++S)!==46)throw C(`SelectionSet`);switch(S++,T(),x.charCodeAt(S)){case 64:e.push({kind:`InlineFragment`,typeCondition:void 0,directives:ce(!1),selectionSet:ue()});break;case 111:x.charCodeAt(S+1)===110?(S+=2,T(),e.push({kind:`InlineFragment`,typeCondition:{kind:`NamedType`,name:re()},directives:ce(!1),selectionSet:ue()})):e.push({kind:`FragmentSpread`,name:re(),directives:ce(!1)});break;case 123:S++,T(),e.push({kind:`InlineFragment`,typeCondition:void 0,directives:void 0,selectionSet:de()});break;default:e.push({kind:`FragmentSpread`,name:re(),directives:ce(!1)})}}else{var t=re(),n=void 0;x.charCodeAt(S)===58&&(S++,T(),n=t,t=re());var r=se(!1),i=ce(!1),a=void 0;x.charCodeAt(S)===123&&(S++,T(),a=de()),e.push({kind:`Field`,alias:n,name:t,arguments:r,directives:i,selectionSet:a})}while(x.charCodeAt(S)!==125);return S++,T(),{kind:`SelectionSet`,selections:e}}function fe(){if(T(),x.charCodeAt(S)===40){var e=[];S++,T();do{var t=void 0;if(x.charCodeAt(S)===34&&(t=oe(!0)),x.charCodeAt(S++)!==36)throw C(`Variable`);var n=re();if(x.charCodeAt(S++)!==58)throw C(`VariableDefinition`);T();var r=le(),i=void 0;x.charCodeAt(S)===61&&(S++,T(),i=oe(!0)),T();var a={kind:`VariableDefinition`,variable:{kind:`Variable`,name:n},type:r,defaultValue:i,directives:ce(!0)};t&&(a.description=t),e.push(a)}while(x.charCodeAt(S)!==41);return S++,T(),e}}function pe(e){var t=re();if(x.charCodeAt(S++)!==111||x.charCodeAt(S++)!==110)throw C(`FragmentDefinition`);T();var n={kind:`FragmentDefinition`,name:t,typeCondition:{kind:`NamedType`,name:re()},directives:ce(!1),selectionSet:ue()};return e&&(n.description=e),n}function me(){var e=[];do{var t=void 0;if(x.charCodeAt(S)===34&&(t=oe(!0)),x.charCodeAt(S)===123){if(t)throw C(`Document`);S++,T(),e.push({kind:`OperationDefinition`,operation:`query`,name:void 0,variableDefinitions:void 0,directives:void 0,selectionSet:de()})}else{var n=ne();switch(n){case`fragment`:e.push(pe(t));break;case`query`:case`mutation`:case`subscription`:var r,i=void 0;(r=x.charCodeAt(S))!==40&&r!==64&&r!==123&&(i=re());var a={kind:`OperationDefinition`,operation:n,name:i,variableDefinitions:fe(),directives:ce(!1),selectionSet:ue()};t&&(a.description=t),e.push(a);break;default:throw C(`Document`)}}}while(S<x.length);return e}function he(e,t){return x=e.body?e.body:e,S=0,T(),t&&t.noLocation?{kind:`Document`,definitions:me()}:{kind:`Document`,definitions:me(),loc:{start:0,end:x.length,startToken:void 0,endToken:void 0,source:{body:x,name:`graphql.web`,locationOffset:{line:1,column:1}}}}}function ge(e,t,n){for(var r=``,i=0;i<e.length;i++)i&&(r+=t),r+=n(e[i]);return r}function _e(e){return JSON.stringify(e)}function ve(e){return`"""
`+e.replace(/"""/g,`\\"""`)+`
"""`}var ye=`
`,be={OperationDefinition(e){var t=``;e.description&&(t+=be.StringValue(e.description)+`
`),t+=e.operation,e.name&&(t+=` `+e.name.value),e.variableDefinitions&&e.variableDefinitions.length&&(e.name||(t+=` `),t+=`(`+ge(e.variableDefinitions,`, `,be.VariableDefinition)+`)`),e.directives&&e.directives.length&&(t+=` `+ge(e.directives,` `,be.Directive));var n=be.SelectionSet(e.selectionSet);return t===`query`?n:t+` `+n},VariableDefinition(e){var t=``;return e.description&&(t+=be.StringValue(e.description)+` `),t+=be.Variable(e.variable)+`: `+xe(e.type),e.defaultValue&&(t+=` = `+xe(e.defaultValue)),e.directives&&e.directives.length&&(t+=` `+ge(e.directives,` `,be.Directive)),t},Field(e){var t=e.alias?e.alias.value+`: `+e.name.value:e.name.value;if(e.arguments&&e.arguments.length){var n=ge(e.arguments,`, `,be.Argument);t.length+n.length+2>80?t+=`(`+(ye+=`  `)+ge(e.arguments,ye,be.Argument)+(ye=ye.slice(0,-2))+`)`:t+=`(`+n+`)`}return e.directives&&e.directives.length&&(t+=` `+ge(e.directives,` `,be.Directive)),e.selectionSet&&e.selectionSet.selections.length&&(t+=` `+be.SelectionSet(e.selectionSet)),t},StringValue(e){return e.block?ve(e.value).replace(/\n/g,ye):_e(e.value)},BooleanValue:e=>``+e.value,NullValue:e=>`null`,IntValue:e=>e.value,FloatValue:e=>e.value,EnumValue:e=>e.value,Name:e=>e.value,Variable:e=>`$`+e.name.value,ListValue:e=>`[`+ge(e.values,`, `,xe)+`]`,ObjectValue:e=>`{`+ge(e.fields,`, `,be.ObjectField)+`}`,ObjectField:e=>e.name.value+`: `+xe(e.value),Document(e){return!e.definitions||!e.definitions.length?``:ge(e.definitions,`

`,xe)},SelectionSet:e=>`{`+(ye+=`  `)+ge(e.selections,ye,xe)+(ye=ye.slice(0,-2))+`}`,Argument:e=>e.name.value+`: `+xe(e.value),FragmentSpread(e){var t=`...`+e.name.value;return e.directives&&e.directives.length&&(t+=` `+ge(e.directives,` `,be.Directive)),t},InlineFragment(e){var t=`...`;return e.typeCondition&&(t+=` on `+e.typeCondition.name.value),e.directives&&e.directives.length&&(t+=` `+ge(e.directives,` `,be.Directive)),t+=` `+be.SelectionSet(e.selectionSet)},FragmentDefinition(e){var t=``;return e.description&&(t+=be.StringValue(e.description)+`
`),t+=`fragment `+e.name.value,t+=` on `+e.typeCondition.name.value,e.directives&&e.directives.length&&(t+=` `+ge(e.directives,` `,be.Directive)),t+` `+be.SelectionSet(e.selectionSet)},Directive(e){var t=`@`+e.name.value;return e.arguments&&e.arguments.length&&(t+=`(`+ge(e.arguments,`, `,be.Argument)+`)`),t},NamedType:e=>e.name.value,ListType:e=>`[`+xe(e.type)+`]`,NonNullType:e=>xe(e.type)+`!`},xe=e=>be[e.kind](e);function Se(e){return ye=`
`,be[e.kind]?be[e.kind](e):``}function Ce(e,t){switch(e.kind){case`NullValue`:return null;case`IntValue`:return parseInt(e.value,10);case`FloatValue`:return parseFloat(e.value);case`StringValue`:case`EnumValue`:case`BooleanValue`:return e.value;case`ListValue`:for(var n=[],r=0,i=e.values.length;r<i;r++)n.push(Ce(e.values[r],t));return n;case`ObjectValue`:for(var a=Object.create(null),o=0,s=e.fields.length;o<s;o++){var c=e.fields[o];a[c.name.value]=Ce(c.value,t)}return a;case`Variable`:return t&&t[e.name.value]}}var we=()=>{},E=we;function D(e){return{tag:0,0:e}}function Te(e){return{tag:1,0:e}}var Ee=()=>typeof Symbol==`function`&&Symbol.asyncIterator||`@@asyncIterator`,De=e=>e;function O(e){return t=>n=>{var r=E;t((t=>{t===0?n(0):t.tag===0?(r=t[0],n(t)):e(t[0])?n(t):r(0)}))}}function Oe(e){return t=>n=>t((t=>{t===0||t.tag===0?n(t):n(Te(e(t[0])))}))}function k(e){return t=>n=>{var r=[],i=E,a=!1,o=!1;t((t=>{o||(t===0?(o=!0,r.length||n(0)):t.tag===0?i=t[0]:(a=!1,(function(e){var t=E;e((e=>{if(e===0){if(r.length){var s=r.indexOf(t);s>-1&&(r=r.slice()).splice(s,1),r.length||(o?n(0):a||(a=!0,i(0)))}}else e.tag===0?(r.push(t=e[0]),t(0)):r.length&&(n(e),t(0))}))})(e(t[0])),a||(a=!0,i(0))))})),n(D((e=>{if(e===1){o||(o=!0,i(1));for(var t=0,n=r,s=r.length;t<s;t++)n[t](1);r.length=0}else{!o&&!a?(a=!0,i(0)):a=!1;for(var c=0,l=r,u=r.length;c<u;c++)l[c](0)}})))}}function ke(e){return k(De)(e)}function Ae(e){return ke(He(e))}function je(e){return t=>n=>{var r=!1;t((t=>{if(!r){if(t===0)r=!0,n(0),e();else if(t.tag===0){var i=t[0];n(D((t=>{t===1?(r=!0,i(1),e()):i(t)})))}else n(t)}}))}}function Me(e){return t=>n=>{var r=!1;t((t=>{if(!r){if(t===0)r=!0,n(0);else if(t.tag===0){var i=t[0];n(D((e=>{e===1&&(r=!0),i(e)})))}else e(t[0]),n(t)}}))}}function Ne(e){return t=>n=>t((t=>{t===0?n(0):t.tag===0?(n(t),e()):n(t)}))}function Pe(e){var t=[],n=E,r=!1;return i=>{t.push(i),t.length===1&&e((e=>{if(e===0){for(var i=0,a=t,o=t.length;i<o;i++)a[i](0);t.length=0}else if(e.tag===0)n=e[0];else{r=!1;for(var s=0,c=t,l=t.length;s<l;s++)c[s](e)}})),i(D((e=>{if(e===1){var a=t.indexOf(i);a>-1&&(t=t.slice()).splice(a,1),t.length||n(1)}else r||(r=!0,n(0))})))}}function Fe(e){return t=>n=>{var r=E,i=E,a=!1,o=!1,s=!1,c=!1;t((t=>{c||(t===0?(c=!0,s||n(0)):t.tag===0?r=t[0]:(s&&(i(1),i=E),a?a=!1:(a=!0,r(0)),(function(e){s=!0,e((e=>{s&&(e===0?(s=!1,c?n(0):a||(a=!0,r(0))):e.tag===0?(o=!1,(i=e[0])(0)):(n(e),o?o=!1:i(0)))}))})(e(t[0]))))})),n(D((e=>{e===1?(c||(c=!0,r(1)),s&&(s=!1,i(1))):(!c&&!a&&(a=!0,r(0)),s&&!o&&(o=!0,i(0)))})))}}function Ie(e){return t=>n=>{var r=E,i=!1,a=0;t((t=>{i||(t===0?(i=!0,n(0)):t.tag===0?e<=0?(i=!0,n(0),t[0](1)):r=t[0]:a++<e?(n(t),!i&&a>=e&&(i=!0,n(0),r(1))):n(t))})),n(D((t=>{t===1&&!i?(i=!0,r(1)):t===0&&!i&&a<e&&r(0)})))}}function Le(e){return t=>n=>{var r=E,i=E,a=!1;t((t=>{a||(t===0?(a=!0,i(1),n(0)):t.tag===0?(r=t[0],e((e=>{e===0||(e.tag===0?(i=e[0])(0):(a=!0,i(1),r(1),n(0)))}))):n(t))})),n(D((e=>{e===1&&!a?(a=!0,r(1),i(1)):a||r(0)})))}}function Re(e,t){return n=>r=>{var i=E,a=!1;n((n=>{a||(n===0?(a=!0,r(0)):n.tag===0?(i=n[0],r(n)):e(n[0])?r(n):(a=!0,t&&r(n),r(0),i(1)))}))}}function ze(e){return t=>e()(t)}function Be(e){return t=>{var n=e[Ee()]&&e[Ee()]()||e,r=!1,i=!1,a=!1,o;t(D((async e=>{if(e===1)r=!0,n.return&&n.return();else if(i)a=!0;else{for(a=i=!0;a&&!r;)if((o=await n.next()).done)r=!0,n.return&&await n.return(),t(0);else try{a=!1,t(Te(o.value))}catch(e){if(n.throw)(r=!!(await n.throw(e)).done)&&t(0);else throw e}i=!1}})))}}function Ve(e){return e[Ee()]?Be(e):t=>{var n=e[Symbol.iterator](),r=!1,i=!1,a=!1,o;t(D((e=>{if(e===1)r=!0,n.return&&n.return();else if(i)a=!0;else{for(a=i=!0;a&&!r;)if((o=n.next()).done)r=!0,n.return&&n.return(),t(0);else try{a=!1,t(Te(o.value))}catch(e){if(n.throw)(r=!!n.throw(e).done)&&t(0);else throw e}i=!1}})))}}var He=Ve;function Ue(e){return t=>{var n=!1;t(D((r=>{r===1?n=!0:n||(n=!0,t(Te(e)),t(0))})))}}function We(e){return t=>{var n=!1,r=e({next(e){n||t(Te(e))},complete(){n||(n=!0,t(0))}});t(D((e=>{e===1&&!n&&(n=!0,r())})))}}function Ge(){var e,t;return{source:Pe(We((n=>(e=n.next,t=n.complete,we)))),next(t){e&&e(t)},complete(){t&&t()}}}var Ke=e=>{var t=!1;e(D((n=>{n===1?t=!0:t||(t=!0,e(0))})))};function qe(e){return We((t=>(e.then((e=>{Promise.resolve(e).then((()=>{t.next(e),t.complete()}))})),we)))}function Je(e){return t=>{var n=E,r=!1;return t((t=>{t===0?r=!0:t.tag===0?(n=t[0])(0):r||(e(t[0]),n(0))})),{unsubscribe(){r||(r=!0,n(1))}}}}function Ye(e){Je((e=>{}))(e)}function Xe(e){return new Promise((t=>{var n=E,r;e((e=>{e===0?Promise.resolve(r).then(t):e.tag===0?(n=e[0])(0):(r=e[0],n(0))}))}))}var Ze=e=>e&&typeof e.message==`string`&&(e.extensions||e.name===`GraphQLError`)?e:typeof e==`object`&&typeof e.message==`string`?new b(e.message,e.nodes,e.source,e.positions,e.path,e,e.extensions||{}):new b(e),Qe=class extends Error{constructor(e){var t=(e.graphQLErrors||[]).map(Ze),n=((e,t)=>{var n=``;if(e)return`[Network] ${e.message}`;if(t)for(var r=0,i=t.length;r<i;r++)n&&(n+=`
`),n+=`[GraphQL] ${t[r].message}`;return n})(e.networkError,t);super(n),this.name=`CombinedError`,this.message=n,this.graphQLErrors=t,this.networkError=e.networkError,this.response=e.response}toString(){return this.message}},$e=(e,t)=>{for(var n=0|(t||5381),r=0,i=0|e.length;r<i;r++)n=(n<<5)+n+e.charCodeAt(r);return n},et=new Set,tt=new WeakMap,nt=(e,t)=>{if(e===null||et.has(e))return`null`;if(typeof e!=`object`)return JSON.stringify(e)||``;if(e.toJSON)return nt(e.toJSON(),t);if(Array.isArray(e)){for(var n=`[`,r=0,i=e.length;r<i;r++)n.length>1&&(n+=`,`),n+=nt(e[r],t)||`null`;return n+=`]`}if(!t&&(ot!==at&&e instanceof ot||st!==at&&e instanceof st))return`null`;var a=Object.keys(e).sort();if(!a.length&&e.constructor&&Object.getPrototypeOf(e).constructor!==Object.prototype.constructor){var o=tt.get(e)||Math.random().toString(36).slice(2);return tt.set(e,o),nt({__key:o},t)}et.add(e);for(var s=`{`,c=0,l=a.length;c<l;c++){var u=nt(e[a[c]],t);u&&(s.length>1&&(s+=`,`),s+=nt(a[c],t)+`:`+u)}return et.delete(e),s+=`}`},rt=(e,t,n)=>{if(!(typeof n!=`object`||!n||n.toJSON||et.has(n))){if(Array.isArray(n))for(var r=0,i=n.length;r<i;r++)rt(e,`${t}.${r}`,n[r]);else if(n instanceof ot||n instanceof st)e.set(t,n);else for(var a in et.add(n),n)rt(e,`${t}.${a}`,n[a])}},it=(e,t)=>(et.clear(),nt(e,t||!1)),at=class{},ot=typeof File<`u`?File:at,st=typeof Blob<`u`?Blob:at,ct=/("{3}[\s\S]*"{3}|"(?:\\.|[^"])*")/g,lt=/(?:#[^\n\r]+)?(?:[\r\n]+|$)/g,ut=(e,t)=>t%2==0?e.replace(lt,`
`):e,dt=e=>e.split(ct).map(ut).join(``).trim(),ft=new Map,pt=new Map,mt=e=>{var t;return typeof e==`string`?t=dt(e):e.loc&&pt.get(e.__key)===e?t=e.loc.source.body:(t=ft.get(e)||dt(Se(e)),ft.set(e,t)),typeof e!=`string`&&!e.loc&&(e.loc={start:0,end:t.length,source:{body:t,name:`gql`,locationOffset:{line:1,column:1}}}),t},ht=e=>{var t;if(e.documentId)t=$e(e.documentId);else if(t=$e(mt(e)),e.definitions){var n=vt(e);n&&(t=$e(`\n# ${n}`,t))}return t},gt=e=>{var t,n;return typeof e==`string`?(t=ht(e),n=pt.get(t)||he(e,{noLocation:!0})):(t=e.__key||ht(e),n=pt.get(t)||e),n.loc||mt(n),n.__key=t,pt.set(t,n),n},_t=(e,t,n)=>{var r=t||{},i=gt(e),a=it(r,!0),o=i.__key;return a!==`{}`&&(o=$e(a,o)),{key:o,query:i,variables:r,extensions:n}},vt=e=>{for(var t=0,n=e.definitions.length;t<n;t++){var r=e.definitions[t];if(r.kind===y.OPERATION_DEFINITION)return r.name?r.name.value:void 0}},yt=(e,t,n)=>{var r=t.payload||t;if(!(`data`in r||`errors`in r&&Array.isArray(r.errors)))throw Error(`No Content`);var i=e.kind===`subscription`;return{operation:e,data:r.data,error:Array.isArray(r.errors)?new Qe({graphQLErrors:r.errors,response:n}):void 0,extensions:r.extensions?{...r.extensions}:void 0,hasNext:t.hasNext==null?i:t.hasNext,stale:!1}},bt=(e,t)=>{if(typeof e==`object`&&e){if(Array.isArray(e)){e=[...e];for(var n=0,r=t.length;n<r;n++)e[n]=bt(e[n],t[n]);return e}if(!e.constructor||e.constructor===Object){for(var i in e={...e},t)e[i]=bt(e[i],t[i]);return e}}return t},xt=(e,t,n,r)=>{var i=e.error?e.error.graphQLErrors:[],a=!!e.extensions||!!(t.payload||t).extensions,o={...e.extensions,...(t.payload||t).extensions},s=t.incremental;`path`in t&&(s=[t]);var c={data:e.data};if(s)for(var l=function(){var e=s[u];Array.isArray(e.errors)&&i.push(...e.errors),e.extensions&&(Object.assign(o,e.extensions),a=!0);var t=`data`,n=c,l=[];if(e.path)l=e.path;else if(r){var d=r.find((t=>t.id===e.id));l=e.subPath?[...d.path,...e.subPath]:d.path}for(var f=0,p=l.length;f<p;t=l[f++])n=n[t]=Array.isArray(n[t])?[...n[t]]:{...n[t]};if(e.items)for(var m=+t>=0?t:0,h=0,g=e.items.length;h<g;h++)n[m+h]=bt(n[m+h],e.items[h]);else e.data!==void 0&&(n[t]=bt(n[t],e.data))},u=0,d=s.length;u<d;u++)l();else c.data=(t.payload||t).data||e.data,i=t.errors||t.payload&&t.payload.errors||i;return{operation:e.operation,data:c.data,error:i.length?new Qe({graphQLErrors:i,response:n}):void 0,extensions:a?o:void 0,hasNext:t.hasNext==null?e.hasNext:t.hasNext,stale:!1}},St=(e,t,n)=>({operation:e,data:void 0,error:new Qe({networkError:t,response:n}),extensions:void 0,hasNext:!1,stale:!1});function Ct(e){var t={query:void 0,documentId:void 0,operationName:vt(e.query),variables:e.variables||void 0,extensions:e.extensions};return`documentId`in e.query&&e.query.documentId&&(!e.query.definitions||!e.query.definitions.length)?t.documentId=e.query.documentId:e.extensions&&e.extensions.persistedQuery&&!e.extensions.persistedQuery.miss||(t.query=mt(e.query)),t}var wt=(e,t)=>{var n=e.kind===`query`&&e.context.preferGetMethod;if(!n||!t)return e.context.url;var r=Tt(e.context.url);for(var i in t){var a=t[i];a&&r[1].set(i,typeof a==`object`?it(a):a)}var o=r.join(`?`);return o.length>2047&&n!==`force`?(e.context.preferGetMethod=!1,e.context.url):o},Tt=e=>{var t=e.indexOf(`?`);return t>-1?[e.slice(0,t),new URLSearchParams(e.slice(t+1))]:[e,new URLSearchParams]},Et=(e,t)=>{if(t&&!(e.kind===`query`&&e.context.preferGetMethod)){var n=it(t),r=(e=>{var t=new Map;return(ot!==at||st!==at)&&(et.clear(),rt(t,`variables`,e)),t})(t.variables);if(r.size){var i=new FormData;i.append(`operations`,n),i.append(`map`,it({...[...r.keys()].map((e=>[e]))}));var a=0;for(var o of r.values())i.append(``+a++,o);return i}return n}},Dt=(e,t)=>{var n={accept:e.kind===`subscription`?`text/event-stream, multipart/mixed`:`application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed`},r=(typeof e.context.fetchOptions==`function`?e.context.fetchOptions():e.context.fetchOptions)||{};if(r.headers){if((e=>`has`in e&&!Object.keys(e).length)(r.headers))r.headers.forEach(((e,t)=>{n[t]=e}));else if(Array.isArray(r.headers))r.headers.forEach(((e,t)=>{Array.isArray(e)?n[e[0]]?n[e[0]]=`${n[e[0]]},${e[1]}`:n[e[0]]=e[1]:n[t]=e}));else for(var i in r.headers)n[i.toLowerCase()]=r.headers[i]}var a=Et(e,t);return typeof a==`string`&&!n[`content-type`]&&(n[`content-type`]=`application/json`),{...r,method:a?`POST`:`GET`,body:a,headers:n}},Ot=/boundary="?([^=";]+)"?/i,kt=/data: ?([^\n]+)/;async function*At(e){if(e.body[Symbol.asyncIterator])for await(var t of e.body)yield t;else{var n=e.body.getReader(),r;try{for(;!(r=await n.read()).done;)yield r.value}finally{n.cancel()}}}async function*jt(e,t){var n=typeof TextDecoder<`u`?new TextDecoder:null,r=``,i;for await(var a of e)for(r+=a.constructor.name===`Buffer`?a.toString():n.decode(a,{stream:!0});(i=r.indexOf(t))>-1;)yield r.slice(0,i),r=r.slice(i+t.length)}async function*Mt(e,t,n){var r=!0,i=null,a;try{yield await Promise.resolve();var o=(a=await(e.context.fetch||fetch)(t,n)).headers.get(`Content-Type`)||``,s=/multipart\/mixed/i.test(o)?async function*(e,t){var n=e.match(Ot),r=`--`+(n?n[1]:`-`),i=!0,a;for await(var o of jt(At(t),`\r
`+r)){if(i){i=!1;var s=o.indexOf(r);if(s>-1)o=o.slice(s+r.length);else continue}try{yield a=JSON.parse(o.slice(o.indexOf(`\r
\r
`)+4))}catch(e){if(!a)throw e}if(a&&!1===a.hasNext)break}a&&!1!==a.hasNext&&(yield{hasNext:!1})}(o,a):/text\/event-stream/i.test(o)?async function*(e){var t;for await(var n of jt(At(e),`

`)){var r=n.match(kt);if(r){var i=r[1];try{yield t=JSON.parse(i)}catch(e){if(!t)throw e}if(t&&!1===t.hasNext)break}}t&&!1!==t.hasNext&&(yield{hasNext:!1})}(a):/text\//i.test(o)?async function*(e){var t=await e.text();try{yield JSON.parse(t)}catch{throw Error(t)}}(a):async function*(e){yield JSON.parse(await e.text())}(a),c;for await(var l of s)l.pending&&!i?c=l.pending:l.pending&&(c=[...c,...l.pending]),i=i?xt(i,l,a,c):yt(e,l,a),r=!1,yield i,r=!0;i||(yield i=yt(e,{},a))}catch(t){if(!r)throw t;yield St(e,a&&(a.status<200||a.status>=300)&&a.statusText?Error(a.statusText):t,a)}}function Nt(e,t,n){var r;return typeof AbortController<`u`&&(n.signal=(r=new AbortController).signal),je((()=>{r&&r.abort()}))(O((e=>!!e))(Be(Mt(e,t,n))))}var Pt=e=>{if(`definitions`in e){for(var t=[],n=0,r=e.definitions.length;n<r;n++){var i=Pt(e.definitions[n]);t.push(i)}return{...e,definitions:t}}if(`directives`in e&&e.directives&&e.directives.length){for(var a=[],o={},s=0,c=e.directives.length;s<c;s++){var l=e.directives[s],u=l.name.value;u[0]===`_`?u=u.slice(1):a.push(l),o[u]=l}e={...e,directives:a,_directives:o}}if(`selectionSet`in e){var d=[],f=e.kind===y.OPERATION_DEFINITION;if(e.selectionSet){for(var p=0,m=e.selectionSet.selections.length;p<m;p++){var h=e.selectionSet.selections[p];f||=h.kind===y.FIELD&&h.name.value===`__typename`&&!h.alias;var g=Pt(h);d.push(g)}return f||d.push({kind:y.FIELD,name:{kind:y.NAME,value:`__typename`},_generated:!0}),{...e,selectionSet:{...e.selectionSet,selections:d}}}}return e},Ft=new Map,It=e=>{var t=gt(e),n=Ft.get(t.__key);return n||(Ft.set(t.__key,n=Pt(t)),Object.defineProperty(n,"__key",{value:t.__key,enumerable:!1})),n};function Lt(e){var t=t=>e(t);return t.toPromise=()=>Xe(Ie(1)(O((e=>!e.stale&&!e.hasNext))(t))),t.then=(e,n)=>t.toPromise().then(e,n),t.subscribe=e=>Je(e)(t),t}function Rt(e,t,n){return{...t,kind:e,context:t.context?{...t.context,...n}:n||t.context}}var zt=()=>{},Bt=({forwardSubscription:e,enableAllOperations:t,isSubscriptionOperation:n})=>({client:r,forward:i})=>{var a=n||(e=>e.kind===`subscription`||!!t&&(e.kind===`query`||e.kind===`mutation`));return t=>Ae([k((n=>{var{key:i}=n;return Le(O((e=>e.kind===`teardown`&&e.key===i))(t))((t=>{var n=e(Ct(t),t);return We((e=>{var i=!1,a,o;function s(n){e.next(o=o?xt(o,n):yt(t,n))}return Promise.resolve().then((()=>{i||(a=n.subscribe({next:s,error(n){Array.isArray(n)?s({errors:n}):e.next(St(t,n)),e.complete()},complete(){i||(i=!0,o&&o.hasNext?s({hasNext:!1}):t.kind===`subscription`&&r.reexecuteOperation(Rt(`teardown`,t,t.context)),e.complete())}}))})),()=>{i=!0,a&&a.unsubscribe()}}))})(n))}))(O((e=>e.kind!==`teardown`&&a(e)))(t)),i(O((e=>e.kind===`teardown`||!a(e)))(t))])},Vt=({forward:e,dispatchDebug:t})=>t=>Ae([k((e=>{var n=Ct(e),r=wt(e,n),i=Dt(e,n);return Le(O((t=>t.kind===`teardown`&&t.key===e.key))(t))(Nt(e,r,i))}))(O((e=>e.kind!==`teardown`&&(e.kind!==`subscription`||!!e.context.fetchSubscriptions)))(t)),e(O((e=>e.kind===`teardown`||e.kind===`subscription`&&!e.context.fetchSubscriptions))(t))]),Ht=e=>({client:t,forward:n,dispatchDebug:r})=>e.reduceRight(((e,n)=>n({client:t,forward(t){return Pe(e(Pe(t)))},dispatchDebug(e){}})),n),Ut=({onOperation:e,onResult:t,onError:n})=>({forward:r})=>i=>k((e=>{n&&e.error&&n(e.error,e.operation);var r=t&&t(e)||e;return`then`in r?qe(r):Ue(r)}))(r(k((t=>{if(t.kind===`teardown`)return Ue(t);var n=e&&e(t)||t;return`then`in n?Le(O((e=>e.kind===`teardown`&&e.key===t.key))(i))(qe(n)):Ue(n)}))(i))),Wt=({dispatchDebug:e})=>e=>O((e=>!1))(e),Gt=function e(t){var n=0,r=new Map,i=new Map,a=new Set,o=[],s={url:t.url,fetchSubscriptions:t.fetchSubscriptions,fetchOptions:t.fetchOptions,fetch:t.fetch,preferGetMethod:t.preferGetMethod==null?`within-url-limit`:t.preferGetMethod,requestPolicy:t.requestPolicy||`cache-first`},c=Ge();function l(e){e.kind!==`mutation`&&e.kind!==`teardown`&&a.has(e.key)||(e.kind===`teardown`?a.delete(e.key):e.kind!==`mutation`&&a.add(e.key),c.next(e))}var u=!1;function d(e){if(e&&l(e),!u){for(u=!0;u&&(e=o.shift());)l(e);u=!1}}var f=e=>{var t=Le(O((t=>t.kind===`teardown`&&t.key===e.key))(c.source))(O((t=>t.operation.kind===e.kind&&t.operation.key===e.key&&(!t.operation.context._instance||t.operation.context._instance===e.context._instance)))(g));return t=e.kind===`query`?Fe((t=>{var n=Ue(t);return t.stale||t.hasNext?n:Ae([n,Oe((()=>(t.stale=!0,t)))(Ie(1)(O((t=>t.key===e.key))(c.source)))])}))(t):Re((e=>!!e.hasNext),!0)(t),t=e.kind===`mutation`?Ne((()=>{l(e)}))(t):je((()=>{a.delete(e.key),r.delete(e.key),i.delete(e.key),u=!1;for(var t=o.length-1;t>=0;t--)o[t].key===e.key&&o.splice(t,1);l(Rt(`teardown`,e,e.context))}))(Me((t=>{if(t.stale){if(!t.hasNext)a.delete(e.key);else for(var n=0;n<o.length;n++){var i=o[n];if(i.key===t.operation.key){a.delete(i.key);break}}}else t.hasNext||a.delete(e.key);r.set(e.key,t)}))(t)),Pe(t)},p=this instanceof e?this:Object.create(e.prototype),m=Object.assign(p,{suspense:!!t.suspense,operations$:c.source,reexecuteOperation(e){if(e.kind===`teardown`)d(e);else if(e.kind===`mutation`)o.push(e),Promise.resolve().then(d);else if(i.has(e.key)){for(var t=!1,n=0;n<o.length;n++)o[n].key===e.key&&(o[n]=e,t=!0);t||a.has(e.key)&&e.context.requestPolicy!==`network-only`?(a.delete(e.key),Promise.resolve().then(d)):(o.push(e),Promise.resolve().then(d))}},createRequestOperation(e,t,r){return r||={},Rt(e,t,{_instance:e===`mutation`?n=n+1|0:void 0,...s,...r,requestPolicy:r.requestPolicy||s.requestPolicy,suspense:r.suspense||!1!==r.suspense&&m.suspense})},executeRequestOperation(e){return e.kind===`mutation`?Lt(f(e)):Lt(ze((()=>{var t=i.get(e.key);t||i.set(e.key,t=f(e)),t=Ne((()=>{d(e)}))(t);var n=r.get(e.key);return e.kind===`query`&&n&&(n.stale||n.hasNext)?Fe(Ue)(Ae([t,O((t=>t===r.get(e.key)))(Ue(n))])):t})))},executeQuery(e,t){var n=m.createRequestOperation(`query`,e,t);return m.executeRequestOperation(n)},executeSubscription(e,t){var n=m.createRequestOperation(`subscription`,e,t);return m.executeRequestOperation(n)},executeMutation(e,t){var n=m.createRequestOperation(`mutation`,e,t);return m.executeRequestOperation(n)},readQuery(e,t,n){var r=null;return Je((e=>{r=e}))(m.query(e,t,n)).unsubscribe(),r},query:(e,t,n)=>m.executeQuery(_t(e,t),n),subscription:(e,t,n)=>m.executeSubscription(_t(e,t),n),mutation:(e,t,n)=>m.executeMutation(_t(e,t),n)}),h=zt,g=Pe(Ht(t.exchanges)({client:m,dispatchDebug:h,forward:Wt({dispatchDebug:h})})(c.source));return Ye(g),m},Kt=_.createContext({}),qt=Kt.Provider;Kt.Consumer,Kt.displayName=`UrqlContext`;var Jt=()=>_.useContext(Kt),Yt={fetching:!1,stale:!1,hasNext:!1,error:void 0,data:void 0,extensions:void 0,operation:void 0},Xt=(e,t)=>e===t||!(!e||!t||e.key!==t.key),Zt=(e,t)=>{var n={...e,...t,data:t.data!==void 0||t.error?t.data:e.data,fetching:!!t.fetching,stale:!!t.stale,error:t.fetching?e.error:t.error};return((e,t)=>{for(var n in e)if(!(n in t))return!0;for(var r in t)if(r===`operation`?!Xt(e[r],t[r]):e[r]!==t[r])return!0;return!1})(e,n)?n:e},Qt=(e,t)=>{for(var n=0,r=t.length;n<r;n++)if(e[n]!==t[n])return!0;return!1},$t=!1;function en(e,t){if(!$t||t===void 0)try{return $t=!0,e(t)}finally{$t=!1}else Promise.resolve(t).then(e)}function A(e){var t=_.useRef(!0),n=Jt(),[r,i]=_.useState(Yt),a=_.useCallback(((r,a)=>(en(i,{...Yt,fetching:!0}),Xe(Ie(1)(O((e=>!e.hasNext))(Me((e=>{t.current&&en(i,{fetching:!1,stale:e.stale,data:e.data,error:e.error,extensions:e.extensions,operation:e.operation,hasNext:e.hasNext})}))(n.executeMutation(_t(e,r),a||{}))))))),[n,e,i]);return _.useEffect((()=>(t.current=!0,()=>{t.current=!1})),[]),[r,a]}function tn(e,t){var n=_.useRef(void 0);return _.useMemo((()=>{var r=_t(e,t);return n.current!==void 0&&n.current.key===r.key?n.current:(n.current=r,r)}),[e,t])}var nn=e=>{if(!e._react){var t=new Set,n=new Map;e.operations$&&Je((e=>{e.kind===`teardown`&&t.has(e.key)&&(t.delete(e.key),n.delete(e.key))}))(e.operations$),e._react={get:e=>n.get(e),set(e,r){t.delete(e),n.set(e,r)},clear(e){t.delete(e),n.delete(e)},dispose(e){t.add(e)}}}return e._react},rn=(e,t)=>t&&t.suspense!==void 0?!!t.suspense:e.suspense;function an(e){var t=Jt(),n=nn(t),r=rn(t,e.context),i=tn(e.query,e.variables),a=_.useMemo((()=>{if(e.pause)return null;var a=t.executeQuery(i,{requestPolicy:e.requestPolicy,...e.context});return r?Me((e=>{n.set(i.key,e)}))(a):a}),[n,t,i,r,e.pause,e.requestPolicy,e.context]),o=_.useCallback(((e,t)=>{if(!e)return{fetching:!1};var r=n.get(i.key);if(!r){var a,o,s=Je((e=>{r=e,a&&a(r)}))(je((()=>{o&&!r&&(n.get(i.key)===o&&n.clear(i.key),a&&a(void 0))}))(Re((()=>t&&!a||!r||`hasNext`in r&&r.hasNext))(e)));if(r==null&&t)throw o=new Promise((e=>{a=e})),n.set(i.key,o),o;s.unsubscribe()}else if(t&&r!=null&&`then`in r){var c=r,l=()=>{n.get(i.key)===c&&n.clear(i.key)};throw c.then(l,l),r}if(t&&r!=null&&!(`then`in r)&&r.error){var u=r;queueMicrotask((()=>{n.get(i.key)===u&&n.clear(i.key)}))}return r||{fetching:!0}}),[n,i]),s=[t,i,e.requestPolicy,e.context,e.pause],[c,l]=_.useState((()=>[a,Zt(Yt,en((()=>o(a,r)))),s])),u=c[1];a!==c[0]&&Qt(c[2],s)&&l([a,u=Zt(c[1],en((()=>o(a,r)))),s]),_.useEffect((()=>{var e=c[0],t=c[2][1],r=!1,i=e=>{r=!0,en(l,(t=>{var n=Zt(t[1],e);return t[1]===n?t:[t[0],n,t[2]]}))};if(e){var a=Je(i)(je((()=>{i({fetching:!1})}))(e));return r||i({fetching:!0}),()=>{n.dispose(t.key),a.unsubscribe()}}i({fetching:!1})}),[n,c[0],c[2][1]]);var d=_.useCallback((a=>{var o={requestPolicy:e.requestPolicy,...e.context,...a};en(l,(e=>[r?Me((e=>{n.set(i.key,e)}))(t.executeQuery(i,o)):t.executeQuery(i,o),e[1],s]))}),[t,n,i,r,e.requestPolicy,e.context,e.pause]);return[u,d]}function on(e,t){var n=Jt(),r=tn(e.query,e.variables),i=_.useRef(t);i.current=t;var a=_.useMemo((()=>e.pause?null:n.executeSubscription(r,e.context)),[n,r,e.pause,e.context]),o=[n,r,e.context,e.pause],[s,c]=_.useState((()=>[a,{...Yt,fetching:!!a},o])),l=s[1];a!==s[0]&&Qt(s[2],o)&&c([a,l=Zt(s[1],{fetching:!!a}),o]),_.useEffect((()=>{var e=e=>{en(c,(t=>{var n=Zt(t[1],e);return t[1]===n?t:(i.current&&n.data!=null&&t[1].data!==n.data&&(n.data=i.current(t[1].data,n.data)),[t[0],n,t[2]])}))};if(s[0])return Je(e)(je((()=>{e({fetching:!!a})}))(s[0])).unsubscribe;e({fetching:!1})}),[s[0]]);var u=_.useCallback((t=>{var i=n.executeSubscription(r,{...e.context,...t});en(c,(e=>[i,e[1],o]))}),[n,r,e.context,e.pause]);return[l,u]}var sn=`
https://bit.ly/2XbVrpR#`;function cn(e,t,n){if(!e){var r=t||`Minfied Error #`+n+`
`,i=Error(r+sn+n);throw i.name=`Graphcache Error`,i}}var ln={},un=e=>e._directives||ln,dn=e=>e.name.value,fn=e=>e.typeCondition.name.value,pn=e=>e.alias?e.alias.value:e.name.value,mn=[],hn=e=>e.selectionSet?e.selectionSet.selections:mn,gn=e=>e.typeCondition?e.typeCondition.name.value:null,_n=(e,t)=>{var n=null;if(e.arguments)for(var r=0,i=e.arguments.length;r<i;r++){var a=e.arguments[r],o=Ce(a.value,t);o!=null&&(n||={},n[dn(a)]=o)}return n},vn=(e,t)=>{if(t&&e.variableDefinitions){for(var n={},r=0,i=e.variableDefinitions.length;r<i;r++){var a=dn(e.variableDefinitions[r].variable);n[a]=t[a]}return n}},yn=(e,t)=>{var n={};if(!t)return n;if(e.variableDefinitions)for(var r=0,i=e.variableDefinitions.length;r<i;r++){var a=e.variableDefinitions[r],o=dn(a.variable);n[o]=t[o]===void 0&&a.defaultValue?Ce(a.defaultValue,t):t[o]}for(var s in t)s in n||(n[s]=t[s]);return n};function bn(e){for(var t=0;t<e.definitions.length;t++)if(e.definitions[t].kind===y.OPERATION_DEFINITION)return e.definitions[t];cn(!1,``,1)}var xn=e=>{for(var t={},n=0;n<e.definitions.length;n++){var r=e.definitions[n];r.kind===y.FRAGMENT_DEFINITION&&(t[dn(r)]=r)}return t},Sn=(e,t)=>{var n=un(e);if(n.include||n.skip)for(var r in n){var i=n[r];if(i&&(r===`include`||r===`skip`)&&i.arguments&&i.arguments[0]&&dn(i.arguments[0])===`if`){var a=Ce(i.arguments[0].value,t);return r===`include`?!!a:!a}}return!0},Cn=(e,t)=>{var{defer:n}=un(e);if(n){for(var r of n.arguments||[])if(dn(r)===`if`)return!!Ce(r.value,t);return!0}return!1},wn=e=>{var{optional:t,required:n}=un(e);if(n)return!1;if(t)return!0},Tn=`__`,En=(e,t,n,r)=>{var i=kn(e,t,n,r);return!!i&&i.type.kind!==`NON_NULL`},Dn=(e,t,n,r)=>{var i=kn(e,t,n,r);if(!i)return!1;var a=i.type.kind===`NON_NULL`?i.type.ofType:i.type;return a.kind===`LIST`&&a.ofType.kind!==`NON_NULL`},On=(e,t,n)=>{if(!n)return!1;var r=gn(t);return!r||n===r?!0:e.types.has(r)&&e.types.get(r).kind===`OBJECT`?r===n:((function(e,t){cn(e.types.has(t)&&(e.types.get(t).kind===`INTERFACE`||e.types.get(t).kind===`UNION`),``,5)})(e,r),An(e,n),e.isSubType(r,n))},kn=(e,t,n,r)=>{if(n.indexOf(Tn)!==0&&t.indexOf(Tn)!==0)return An(e,t),e.types.get(t).fields()[n]};function An(e,t){cn(e.types.has(t)&&e.types.get(t).kind===`OBJECT`,``,3)}var jn=(e,t)=>t?`${e}(${it(t)})`:e,Mn=(e,t)=>`${e}.${t}`,Nn=e=>{var t=e.indexOf(`(`);return t>-1?{fieldKey:e,fieldName:e.slice(0,t),arguments:JSON.parse(e.slice(t+1,-1))}:{fieldKey:e,fieldName:e,arguments:null}},Pn=e=>{var t=e.indexOf(`.`);return{entityKey:e.slice(0,t).replace(/%2e/g,`.`),fieldKey:e.slice(t+1)}},Fn=null,In=null,j=null,Ln=null,Rn=null,zn=null,Bn=!1,Vn=!1;function Hn(e,t){var n;if(e){if(Fn.has(e))return e;n=In.get(e)}return n??=t?[]:{},e&&In.set(e,n),Fn.add(n),n}var Un=e=>!!e&&Fn.has(e),Wn=(e,t,n,r,i)=>{Fn=new WeakSet,In=new WeakMap,Rn=e,j=t,zn=new Set,Vn=!!r,Bn=!!i,n?Rn===`read`?Ln=n:r||t.hydrating||t.optimisticOrder.length>1?(!r&&!t.commutativeKeys.has(n)?lr(t,n):r&&(t.optimisticOrder.indexOf(n)!==-1&&!t.commutativeKeys.has(n)&&t.optimisticOrder.splice(t.optimisticOrder.indexOf(n),1),t.commutativeKeys.delete(n)),Ln=n,ur(t,n)):(Ln=null,fr(t,n)):Ln=null},Gn=()=>{var e=j,t=Ln;if(Vn=!1,Ln=null,!e.hydrating&&t&&e.optimisticOrder.indexOf(t)>-1)for(var n=e.optimisticOrder.length;--n>=0&&e.dirtyKeys.has(e.optimisticOrder[n])&&e.commutativeKeys.has(e.optimisticOrder[n]);)pr(e.optimisticOrder[n]);Fn=null,In=null,Rn=null,j=null,zn=null,e.defer||!e.storage&&e.optimisticOrder.length||(e.defer=!0,setTimeout((()=>{Wn(`read`,e,null),er(),hr(),Gn(),e.defer=!1})))},Kn=(e,t,n)=>{t&&!n&&e.deferredKeys.delete(t),Wn(`write`,e,t,n),Gn()},qn=new Set,Jn=(e,t,n,r)=>{var i=Ln?e.optimistic.get(Ln):e.base,a=i.get(t);a===void 0&&i.set(t,a=Object.create(null)),r===void 0&&!Ln?delete a[n]:a[n]=r},Yn=(e,t,n)=>{for(var r,i=!Vn&&Rn===`read`&&Ln&&j.commutativeKeys.has(Ln),a=0,o=j.optimisticOrder.length;a<o;a++){var s=j.optimisticOrder[a],c=e.optimistic.get(s);if(i&&=s!==Ln,c&&(!i||!j.commutativeKeys.has(s))&&(!Vn||Rn===`write`||j.commutativeKeys.has(s))&&(r=c.get(t))!==void 0&&n in r)return r[n]}return(r=e.base.get(t))===void 0?void 0:r[n]};function Xn(e){return j.refCount.get(e)||0}var Zn=(e,t)=>{if(Array.isArray(e))for(var n=0,r=e.length;n<r;n++)Zn(e[n],t);else typeof e==`string`&&((e,t)=>{var n=Xn(e),r=n+t>0?n+t:0;j.refCount.set(e,r),r?!n&&r&&j.gc.delete(e):j.gc.add(e)})(e,t)},Qn=(e,t,n)=>{if(n!==void 0)for(var r in n)t.has(r)||(e.push(Nn(r)),t.add(r))},$n=(e,t,n,r)=>{Qn(e,t,r.base.get(n));for(var i=0,a=j.optimisticOrder.length;i<a;i++){var o=r.optimistic.get(j.optimisticOrder[i]);o!==void 0&&Qn(e,t,o.get(n))}},er=()=>{if(!j.optimisticOrder.length){for(var e of j.gc.keys())if(j.gc.delete(e),!(Xn(e)>0)){var t=j.records.base.get(e);j.refCount.delete(e),j.records.base.delete(e);var n=t&&t.__typename;if(n){var r=j.types.get(n);r&&r.delete(e)}var i=j.links.base.get(e);if(i)for(var a in j.links.base.delete(e),i)Zn(i[a],-1)}}},tr=(e,t)=>{e===j.queryRootKey?t!==void 0&&t!==`__typename`&&zn.add(Mn(e,t)):zn.add(e)},nr=(e,t)=>{!Vn&&j.storage&&j.persist.add(((e,t)=>`${e.replace(/\./g,`%2e`)}.${t}`)(e,t))},rr=(e,t)=>(Rn===`read`&&tr(e,t),Yn(j.records,e,t)),ir=(e,t)=>(Rn===`read`&&tr(e,t),Yn(j.links,e,t)),ar=(e,t)=>{var n=j.abstractToConcreteMap.get(e);if(n)n.add(t);else{var r=new Set;r.add(t),j.abstractToConcreteMap.set(e,r)}},or=(e,t,n)=>{gr(Yn(j.records,e,t),n)||(tr(e,t),nr(e,t)),Jn(j.records,e,t,n)},sr=(e,t)=>rr(e,t)!==void 0||ir(e,t)!==void 0,cr=(e,t,n)=>{var r=Ln?j.links.optimistic.get(Ln):j.links.base;if(!Ln){var i=r&&r.get(e);Zn(i&&i[t],-1),Zn(n,1)}gr(Yn(j.links,e,t),n)||(tr(e,t),nr(e,t)),Jn(j.links,e,t,n)},lr=(e,t,n)=>{var r=e.optimisticOrder.indexOf(t);if(r>-1&&e.optimisticOrder.splice(r,1),n)for(e.deferredKeys.add(t),r=r>-1?r:0;r<e.optimisticOrder.length&&!e.deferredKeys.has(e.optimisticOrder[r])&&(!e.dirtyKeys.has(e.optimisticOrder[r])||!e.commutativeKeys.has(e.optimisticOrder[r]));r++);else e.deferredKeys.delete(t),r>-1&&!e.commutativeKeys.has(t)&&dr(e,t),r=0;e.optimisticOrder.splice(r,0,t),e.commutativeKeys.add(t)},ur=(e,t)=>{e.optimisticOrder.indexOf(t)===-1&&e.optimisticOrder.unshift(t),e.dirtyKeys.has(t)||(e.dirtyKeys.add(t),e.links.optimistic.set(t,new Map),e.records.optimistic.set(t,new Map))},dr=(e,t)=>{e.dirtyKeys.has(t)&&(e.dirtyKeys.delete(t),e.records.optimistic.delete(t),e.links.optimistic.delete(t),e.deferredKeys.delete(t))},fr=(e,t)=>{var n=e.optimisticOrder.indexOf(t);n>-1&&(e.optimisticOrder.splice(n,1),e.commutativeKeys.delete(t)),dr(e,t)},pr=e=>{var t=zn;zn=new Set,Rn=`write`;var n=j.links.optimistic.get(e);if(n)for(var r of n.entries()){var i=r[0],a=r[1];for(var o in a)cr(i,o,a[o])}var s=j.records.optimistic.get(e);if(s)for(var c of s.entries()){var l=c[0],u=c[1];for(var d in u)or(l,d,u[d])}zn=t,fr(j,e)},mr=e=>{var{links:t,records:n}=j,r=[],i=new Set;return tr(e),$n(r,i,e,t),$n(r,i,e,n),r},hr=()=>{if(j.storage){Vn=!0,Rn=`read`;var e={};for(var t of j.persist.keys()){var{entityKey:n,fieldKey:r}=Pn(t),i=void 0;e[t]=(i=ir(n,r))===void 0?(i=rr(n,r))===void 0?void 0:it(i):`:${it(i)}`}Vn=!1,j.storage.writeData(e),j.persist.clear()}};function gr(e,t){return typeof e!=typeof t||e!==t?!1:Array.isArray(e)&&Array.isArray(t)?e.length===t.length&&!e.some(((e,n)=>e!==t[n])):!0}var _r=null,vr=!1,yr=void 0,br=e=>e.__internal.path.length>0&&e.__internal.errorMap?e.__internal.errorMap[e.__internal.path.join(`.`)]:void 0,xr=(e,t,n,r,i,a)=>{var o={store:e,variables:t,fragments:n,parent:{__typename:r},parentTypeName:r,parentKey:i,parentFieldKey:``,fieldName:``,error:void 0,partial:!1,hasNext:!1,optimistic:Vn,__internal:{path:[],errorMap:void 0}};if(a&&a.graphQLErrors)for(var s=0;s<a.graphQLErrors.length;s++){var c=a.graphQLErrors[s];c.path&&c.path.length&&(o.__internal.errorMap||(o.__internal.errorMap=Object.create(null)),o.__internal.errorMap[c.path.join(`.`)]=c)}return o},Sr=(e,t,n,r,i,a)=>{_r=e,e.parent=t,e.parentTypeName=n,e.parentKey=r,e.parentFieldKey=i,e.fieldName=a,e.error=br(e)},Cr=(e,t,n,r,i)=>{if(!t)return!1;var a=gn(e);return!a||t===a||!hn(e).some((e=>e.kind===y.FIELD&&!sr(n,jn(dn(e),_n(e,r)))))},wr=class{constructor(e,t,n,r,i,a){this.typename=e,this.entityKey=t,this.ctx=a,this.stack=[{selectionSet:i,index:0,defer:n,optional:r}]}next(){for(;this.stack.length>0;){for(var e=this.stack[this.stack.length-1];e.index<e.selectionSet.length;){var t=e.selectionSet[e.index++];if(Sn(t,this.ctx.variables)){if(t.kind!==y.FIELD){var n=t.kind===y.INLINE_FRAGMENT?t:this.ctx.fragments[dn(t)];if(n){var r=!n.typeCondition||(this.ctx.store.schema?On(this.ctx.store.schema,n,this.typename):this.ctx.store.possibleTypeMap?Tr(this.ctx.store.possibleTypeMap,n.typeCondition.name.value,this.typename):Rn===`read`&&Er(n.typeCondition.name.value,this.typename)||Cr(n,this.typename,this.entityKey,this.ctx.variables,this.ctx.store.logger));if(r||Rn===`write`&&!this.ctx.store.schema){var i=wn(t);r&&n.typeCondition&&this.typename!==n.typeCondition.name.value&&ar(n.typeCondition.name.value,this.typename),this.stack.push(e={selectionSet:hn(n),index:0,defer:e.defer||Cn(t,this.ctx.variables),optional:i===void 0?e.optional:i})}}}else if(Rn===`write`||!t._generated)return vr=e.defer,yr=e.optional,t}}this.stack.pop()}}},Tr=(e,t,n)=>{if(!n)return!1;if(t===n)return!0;var r=e.get(t);return r&&r.has(n)},Er=(e,t)=>{if(!t)return!1;if(e===t)return!0;if((e=>j.types.has(e))(e))return!1;var n=(e=>j.abstractToConcreteMap.get(e)||qn)(e);return n.size&&n.has(t)},Dr=e=>e??null,Or=(e,t)=>{if(!t)return t||null;if(Array.isArray(t)){for(var n=Array(t.length),r=0,i=n.length;r<i;r++)n[r]=Or(e,t[r]);return n}return e.keyOfEntity(t)},kr=(e,t,n,r)=>{var i=It(t.query),a=bn(i),o=e.rootFields[a.operation],s=hn(a),c=xr(e,yn(a,t.variables),xn(i),o,o,r),l=o===c.store.rootFields.query?Nr(c,o,s,n||Hn()):Ar(c,o,s,n||Hn());return{dependencies:zn,partial:c.partial||!l,hasNext:c.hasNext,data:l||null}},Ar=(e,t,n,r)=>{if(typeof(e.store.rootNames[t]?t:r.__typename)!=`string`)return r;for(var i=new wr(t,t,!1,void 0,n,e),a,o=Bn,s=Hn(r);a=i.next();){var c=pn(a),l=r[c];e.__internal.path.push(c);var u=void 0;u=a.selectionSet&&l!==null?jr(e,hn(a),Dr(l)):l,o||=u!==l,u!==void 0&&(s[c]=u),e.__internal.path.pop()}return o?s:r},jr=(e,t,n)=>{if(Array.isArray(n)){for(var r=Array(n.length),i=Bn,a=0,o=n.length;a<o;a++)e.__internal.path.push(a),r[a]=jr(e,t,n[a]),i||=r[a]!==n[a],e.__internal.path.pop();return i?r:n}if(n===null)return null;var s=e.store.keyOfEntity(n);return s===null?Ar(e,n.__typename,t,n):Nr(e,s,t,n)||null};function Mr(e,t,n,r){var i=r.store.resolvers[t],a=i&&i[n],o;for(var s in e){var c=e[s];if(c&&s!==`include`&&s!==`skip`&&r.store.directives[s])return o=r.store.directives[s](_n(c,r.variables)),o}return o||a}var Nr=(e,t,n,r,i)=>{var{store:a}=e,o=t===a.rootFields.query,s=i&&a.keyOfEntity(i)||t,c=o?t:rr(s,`__typename`)||i&&i.__typename;if(typeof c==`string`&&!(i&&c!==i.__typename)){for(var l=new wr(c,s,!1,void 0,n,e),u=!1,d=!1,f=Bn,p,m=e.partial,h=Hn(r);(p=l.next())!==void 0;){var g=dn(p),_=_n(p,e.variables),v=pn(p),y=un(p),b=Mr(y,c,g,e),x=jn(g,_),S=Mn(s,x),C=rr(s,x),ee=i?i[g]:void 0;e.__internal.path.push(v);var w=void 0;if(g===`__typename`)w=c;else if(ee!==void 0&&p.selectionSet===void 0)w=ee;else if(Rn===`read`&&b){var te=h;if(p.selectionSet===void 0&&C!==void 0&&(te={...h,[v]:C,[g]:C}),Sr(e,te,c,s,x,g),w=b(te,_||{},a,e),p.selectionSet&&(w=Pr(e,c,g,S,hn(p),h[v]===void 0?r[v]:h[v],w,Un(r))),a.schema&&w===null&&!En(a.schema,c,g,e.store.logger))return}else if(!p.selectionSet)w=C;else if(ee!==void 0)w=Pr(e,c,g,S,hn(p),h[v]===void 0?r[v]:h[v],ee,Un(r));else{var T=ir(s,x);T===void 0?typeof C==`object`&&C&&(w=C):w=Fr(e,T,c,g,hn(p),h[v]===void 0?r[v]:h[v],Un(r))}if(!vr&&w===void 0&&(y.optional||yr&&!y.required||br(e)||!y.required&&a.schema&&En(a.schema,c,g,e.store.logger))?(e.partial=!0,w=null):w===null&&(y.required||!1===yr)?(e.store.logger,w=void 0):u||=g!==`__typename`,e.__internal.path.pop(),f||=w!==r[v],w!==void 0)h[v]=w;else if(vr)d=!0;else{e.store.logger,e.partial=m;return}}return e.partial=e.partial||m,e.hasNext=e.hasNext||d,o&&e.partial&&!u?void 0:f?h:r}},Pr=(e,t,n,r,i,a,o,s)=>{if(Array.isArray(o)){for(var{store:c}=e,l=c.schema?Dn(c.schema,t,n,e.store.logger):!1,u=e.partial,d=Hn(a,!0),f=Bn||!Array.isArray(a)||o.length!==a.length,p=0,m=o.length;p<m;p++){e.__internal.path.push(p);var h=Pr(e,t,n,Mn(r,`${p}`),i,a?.[p],o[p],s);if(e.__internal.path.pop(),h===void 0&&!l){e.partial=u;return}e.partial=e.partial||h===void 0&&l,d[p]=h??null,f||=d[p]!==a[p]}return f?d:a}if(o==null)return o;if(s&&a===null)return null;if(Ir(o)){var g=a||Hn(a);return typeof o==`string`?Nr(e,o,i,g):Nr(e,r,i,g,o)}},Fr=(e,t,n,r,i,a,o)=>{if(Array.isArray(t)){for(var{store:s}=e,c=s.schema?Dn(s.schema,n,r,e.store.logger):!1,l=Hn(a,!0),u=e.partial,d=Bn||!Array.isArray(a)||t.length!==a.length,f=0,p=t.length;f<p;f++){e.__internal.path.push(f);var m=Fr(e,t[f],n,r,i,a?.[f],o);if(e.__internal.path.pop(),m===void 0&&!c){e.partial=u;return}e.partial=e.partial||m===void 0&&c,l[f]=m||null,d||=l[f]!==a[f]}return d?l:a}return t===null||a===null&&o?null:Nr(e,t,i,a||Hn(a))},Ir=e=>typeof e==`string`||typeof e==`object`&&typeof e.__typename==`string`,Lr=(e,t,n)=>{for(var r=t?[{fieldKey:jn(t,n)}]:mr(e),i=0,a=r.length;i<a;i++){var{fieldKey:o}=r[i];ir(e,o)===void 0?or(e,o,void 0):cr(e,o,void 0)}},Rr=(e,t)=>{for(var n of(e=>j.types.get(e)||qn)(e))t.includes(n)||Lr(n)},zr=(e,t,n,r)=>{var i=It(t.query),a=bn(i),o={data:n||Hn(),dependencies:zn},s=e.rootFields[a.operation];return Br(xr(e,yn(a,t.variables),xn(i),s,s,r),s,hn(a),o.data),o},Br=(e,t,n,r)=>{var i=e.store.rootNames[t]||`query`,a=!!e.store.rootNames[t],o=a?t:r.__typename;if(!o&&t&&e.optimistic&&(o=rr(t,`__typename`)),o)!a&&t&&(or(t,`__typename`,o),((e,t)=>{var n=j.types.get(e);if(n)n.add(t);else{var r=new Set;r.add(t),j.types.set(e,r)}})(o,t));else return;for(var s=e.store.updates[o],c=new wr(o,t||o,!1,void 0,n,e),l;l=c.next();){var u=dn(l),d=_n(l,e.variables),f=jn(u,d),p=pn(l),m=r[e.optimistic?u:p];if(!(u===`__typename`||m===void 0&&(vr||e.optimistic&&i===`query`))){e.__internal.path.push(p);var h=void 0;if(e.optimistic&&i===`mutation`){if(!(h=e.store.optimisticMutations[u]))continue}else e.optimistic&&typeof m==`function`&&(h=m);if(h&&(Sr(e,r,o,t||o,f,u),m=Dr(h(d||{},e.store,e))),m!==void 0){if(l.selectionSet){if(t&&i===`query`){var g=Mn(t,f),_=Vr(e,hn(l),Dr(m),g,e.optimistic?ir(t||o,f):void 0);cr(t||o,f,_)}else Vr(e,hn(l),Dr(m))}else t&&i===`query`&&or(t||o,f,m!==null||!br(e)?m:void 0);var v=s&&s[u];if(v)Sr(e,r,o,t||o,f,u),r[u]=m,v(r,d||{},e.store,e);else if(o===e.store.rootFields.mutation&&!e.optimistic){if(m&&Array.isArray(m))for(var y=m.map((t=>e.store.keyOfEntity(t)||``)),b=0,x=m.length;b<x;b++){var S=y[b];if(S&&m[b].__typename){var C=rr(S,`__typename`),ee=Xn(S);C&&!ee&&Rr(m[b].__typename,y)}}else if(m&&typeof m==`object`){var w=e.store.keyOfEntity(m);if(w){var te=rr(w,`__typename`),T=Xn(w);te&&T||!m.__typename||Rr(m.__typename,[w])}}}e.__internal.path.pop()}}}},Vr=(e,t,n,r,i)=>{if(Array.isArray(n)){for(var a=Array(n.length),o=0,s=n.length;o<s;o++){e.__internal.path.push(o);var c=r?Mn(r,`${o}`):void 0,l=Vr(e,t,n[o],c,i?.[o]);a[o]=l,e.__internal.path.pop()}return a}if(n===null)return br(e)?void 0:null;var u=e.store.keyOfEntity(n)||(typeof i==`string`?i:null);n.__typename;var d=u||r;return Br(e,d,t,n),d||null},Hr=class{constructor(e){e||={},this.logger=e.logger,this.resolvers=e.resolvers||{},this.directives=e.directives||{},this.optimisticMutations=e.optimistic||{},this.keys=e.keys||{},this.globalIDs=Array.isArray(e.globalIDs)?new Set(e.globalIDs):!!e.globalIDs;var t=`Query`,n=`Mutation`,r=`Subscription`;if(e.schema){var i=(({__schema:e})=>{var t=new Map,n=e=>{var t;return()=>{if(!t){t={};for(var n=0;n<e.length;n++)t[e[n].name]=e[n]}return t}},r=e=>{switch(e.kind){case`OBJECT`:case`INTERFACE`:return{name:e.name,kind:e.kind,interfaces:n(e.interfaces||[]),fields:n(e.fields.map((e=>({name:e.name,type:e.type,args:n(e.args)}))))};case`UNION`:return{name:e.name,kind:e.kind,types:n(e.possibleTypes||[])}}},i={query:e.queryType?e.queryType.name:null,mutation:e.mutationType?e.mutationType.name:null,subscription:e.subscriptionType?e.subscriptionType.name:null,types:void 0,isSubType(e,n){var r=t.get(e),i=t.get(n);return!r||!i?!1:r.kind===`UNION`?!!r.types()[n]:r.kind!==`OBJECT`&&i.kind===`OBJECT`?!!i.interfaces()[e]:e===n}};if(e.types){i.types=t;for(var a=0;a<e.types.length;a++){var o=e.types[a];if(o&&o.name){var s=r(o);s&&t.set(o.name,s)}}}return i})(e.schema);t=i.query||t,n=i.mutation||n,r=i.subscription||r,i.types&&(this.schema=i)}if(!this.schema&&e.possibleTypes){this.possibleTypeMap=new Map;for(var a of Object.entries(e.possibleTypes)){var[o,s]=a;this.possibleTypeMap.set(o,new Set(s))}}this.updates=e.updates||{},this.rootFields={query:t,mutation:n,subscription:r},this.rootNames={[t]:`query`,[n]:`mutation`,[r]:`subscription`},this.data=(c=t,{hydrating:!1,defer:!1,gc:new Set,types:new Map,persist:new Set,queryRootKey:c,refCount:new Map,links:{optimistic:new Map,base:new Map},abstractToConcreteMap:new Map,records:{optimistic:new Map,base:new Map},deferredKeys:new Set,commutativeKeys:new Set,dirtyKeys:new Set,optimisticOrder:[],storage:null});var c;this.schema}keyOfField(e,t){return jn(e,t)}keyOfEntity(e){if(_r&&e===_r.parent)return _r.parentKey;if(e==null||typeof e==`string`)return e||null;if(!e.__typename)return null;if(this.rootNames[e.__typename])return e.__typename;var t=null;this.keys[e.__typename]?t=this.keys[e.__typename](e)||null:e.id==null?e._id!=null&&(t=`${e._id}`):t=`${e.id}`;var n=e.__typename;return!0===this.globalIDs||this.globalIDs&&this.globalIDs.has(n)||!t?t:`${n}:${t}`}resolve(e,t,n){var r=this.keyOfEntity(e);if(r){var i=jn(t,n),a=rr(r,i);if(a!==void 0)return a;var o=ir(r,i);return o!==void 0&&(o=Or(this,o)),o}}invalidate(e,t,n){var r=this.keyOfEntity(e);e&&typeof e==`string`&&!t&&!n&&!this.resolve(e,`__typename`)?Rr(e,[]):(cn(r,``,19),Lr(r,t,n))}inspectFields(e){var t=this.keyOfEntity(e);return t?mr(t):[]}updateQuery(e,t){var n=_t(e.query,e.variables),r=t(this.readQuery(n));r!==null&&zr(this,n,r,void 0)}readQuery(e){var t=_t(e.query,e.variables);return kr(this,t,void 0,void 0).data}readFragment(e,t,n,r){return((e,t,n,r,i)=>{var a=xn(t),o;if(i){if(!(o=a[i]))return null}else if(!(o=a[Object.keys(a)[0]]))return null;var s=fn(o);typeof n!=`string`&&!n.__typename&&(n.__typename=s);var c=e.keyOfEntity(n);return c&&Nr(xr(e,r||{},a,s,c,void 0),c,hn(o),Hn())||null})(this,It(e),t,n,r)}writeFragment(e,t,n,r){((e,t,n,r,i)=>{var a=xn(t),o;if(i){if(!(o=a[i]))return null}else if(!(o=a[Object.keys(a)[0]]))return null;var s=fn(o),c={__typename:s,...n},l=e.keyOfEntity(c);l&&Br(xr(e,r||{},a,s,l,void 0),l,hn(o),c)})(this,It(e),t,n,r)}link(e,t,...n){var r=n.length===2?n[0]:null,i=n.length===2?n[1]:n[0],a=this.keyOfEntity(e);a&&cr(a,jn(t,r),Or(this,i))}},Ur=(e,t)=>Rt(e.kind,e,{...e.context,meta:{...e.context.meta,...t}}),Wr=(e,t)=>Rt(e.kind,e,{...e.context,requestPolicy:t}),Gr=e=>({forward:t,client:n,dispatchDebug:r})=>{var i=new Hr(e);e&&e.storage&&(i.data.hydrating=!0,e.storage.readData().then((t=>{((e,t,n)=>{for(var r in Wn(`write`,e,null),n){var i=n[r];if(i!==void 0){var{entityKey:a,fieldKey:o}=Pn(r);i[0]===`:`?ir(a,o)===void 0&&cr(a,o,JSON.parse(i.slice(1))):rr(a,o)===void 0&&or(a,o,JSON.parse(i))}}e.storage=t,e.hydrating=!1,Gn()})(i.data,e.storage,t),e.storage.onCacheHydrated&&e.storage.onCacheHydrated()})));var a=new Map,o=[],s=new Map,c=new Map,l=new Set,u=new Set,d=new Set,f=new Set,p=new WeakSet,m=new Map,h=new Set,g=new Set,_=e=>{for(var t of e.values())if(l.has(t))return!0;return!1},v=(e,t)=>{if(t)for(var n of t.values()){var r=m.get(n);if(r)for(var i of r.values())e.add(i)}},y=(e,t,r)=>{for(var i of t.values())if(i!==e.key){var a=s.get(i);if(a){e.kind===`query`&&g.add(i);var o=`cache-first`;u.has(i)&&(u.delete(i),o=`cache-and-network`);var c=Wr(a,o);e.kind===`subscription`&&d.has(i)&&p.add(c),n.reexecuteOperation(c)}}if(!r){var l=h;h=g,e.kind===`query`&&h.add(e.key),(g=l).clear()}},b=e=>!p.has(e)||!d.has(e.key)?!1:(f.add(e.key),!0),x=e=>{var t=!1;if(e.kind===`query`)lr(i.data,e.key),s.set(e.key,e),d.add(e.key),f.delete(e.key);else if(e.kind===`teardown`)return s.delete(e.key),c.delete(e.key),h.delete(e.key),d.delete(e.key),f.delete(e.key),Kn(i.data,e.key),e;else if(e.kind===`mutation`&&e.context.requestPolicy!==`network-only`){s.set(e.key,e),Wn(`write`,i.data,e.key,!0,!1);var{dependencies:n}=zr(i,e,void 0,void 0);if(Gn(),n.size){for(var r of n.values())l.add(r);a.set(e.key,n);var o=new Set;v(o,n),y(e,o,!0),t=!0}}return Rt(e.kind,{key:e.key,query:It(e.query),variables:e.variables?vn(bn(e.query),e.variables):e.variables},{...e.context,optimistic:t})},S=(e,t)=>{for(var n of t.values()){var r=m.get(n);r||m.set(n,r=new Set),r.add(e.key)}},C=e=>{Wn(`read`,i.data,void 0,!1,!1);var t=kr(i,e,c.get(e.key),void 0);Gn();var n=t.data?!t.partial&&!t.hasNext?`hit`:`partial`:`miss`;return c.set(e.key,t.data),s.set(e.key,e),S(e,t.dependencies),{outcome:n,operation:e,data:t.data,dependencies:t.dependencies,hasNext:t.hasNext}},ee=(e,t)=>{var n=s.get(e.operation.key)||e.operation;n.kind===`mutation`&&(v(t,a.get(n.key)),a.delete(n.key)),(n.kind===`subscription`||e.hasNext)&&lr(i.data,n.key,!0);var r,o=e.data;if(o){Wn(`write`,i.data,n.key,!1,!1);var l=zr(i,n,o,e.error).dependencies;Gn(),v(t,l);var u=n.kind===`query`?c.get(n.key):null;Wn(`read`,i.data,n.key,!1,u!==o);var d=kr(i,n,u||o,e.error);Gn(),o=d.data,n.kind===`query`&&(v(t,r=d.dependencies),c.set(n.key,o))}else Kn(i.data,n.key);return r&&S(e.operation,r),{operation:n,data:o,error:e.error,extensions:e.extensions,hasNext:e.hasNext,stale:e.stale}};return e=>{var r=Pe(Oe(C)(O((e=>e.kind===`query`&&e.context.requestPolicy!==`network-only`))(e))),c=O((e=>e.kind!==`query`||e.context.requestPolicy===`network-only`))(e),p=Oe((e=>Ur(e.operation,{cacheOutcome:`miss`})))(O((e=>e.outcome===`miss`&&e.operation.context.requestPolicy!==`cache-only`&&!_(e.dependencies)&&!h.has(e.operation.key)&&!b(e.operation)))(r)),m=Oe((e=>{var{requestPolicy:t}=e.operation.context,r=t!==`cache-only`&&(e.hasNext||t===`cache-and-network`||t===`cache-first`&&e.outcome===`partial`&&!h.has(e.operation.key)),a=t!==`cache-only`&&(r||d.has(e.operation.key)||e.outcome===`partial`&&h.has(e.operation.key)&&((o=i.data).commutativeKeys.has(c=e.operation.key)||o.optimisticOrder.indexOf(c)>-1)),o,c,l={operation:Ur(e.operation,{cacheOutcome:e.outcome}),data:e.data,error:e.error,extensions:e.extensions,stale:a&&!e.hasNext,hasNext:r&&e.hasNext};return r&&(_(e.dependencies)?t===`cache-and-network`&&u.add(e.operation.key):b(e.operation)||n.reexecuteOperation(Wr(s.get(e.operation.key)||e.operation,`network-only`))),l}))(O((e=>e.outcome!==`miss`||e.operation.context.requestPolicy===`cache-only`))(r)),g=t(Oe(x)(Ae([c,p])));return Ae([Oe((e=>{var{key:t}=e.operation,r=!1;e.hasNext||(d.delete(t),r=f.delete(t));var i=new Set,a=ee(e,i);return y(e.operation,i,!1),r&&(a.stale=!0,n.reexecuteOperation(Wr(s.get(t)||e.operation,`network-only`))),a}))(O((e=>!a.has(e.operation.key)))(g)),k((e=>{if(o.push(e)<a.size)return Ke;for(var t=0;t<o.length;t++)lr(i.data,o[t].operation.key);l.clear();for(var n=[],r=new Set,s;s=o.shift();)n.push(ee(s,r));return y(e.operation,r,!1),He(n)}))(O((e=>a.has(e.operation.key)))(g)),m])}};function Kr(e,t){let n={fields:{},form:``};for(let{message:r,path:i}of e){let e=i[1];e!==void 0&&(!t||t.includes(e))?n.fields[e]??=r:n.form||=r}return n}var qr=class extends Error{name=`SignedOutError`;extensions={code:`UNAUTHENTICATED`};constructor(e){super(`You are signed out. Sign in again.`,{cause:e})}};function Jr(e){return e?`length`in e?e:e instanceof qr?[e]:`networkError`in e&&e.networkError?Jr(e.networkError):`graphQLErrors`in e&&e.graphQLErrors||`errors`in e&&e.errors||[]:[]}function Yr(e){let t=Jr(e)[0]?.extensions?.code;return typeof t==`string`?t:void 0}var Xr={Node:[`ApiToken`,`Category`,`Comment`,`Group`,`Invitation`,`ModerationAct`,`Notification`,`Session`,`Tab`,`Tag`,`Timeline`,`Topic`,`User`,`UserList`,`Viewer`],Followable:[`Category`,`Tag`,`User`],Votable:[`Comment`,`Topic`],NotificationSubject:[`Comment`,`Topic`,`User`],ModerationSubject:[`Comment`,`Topic`,`User`],ActSubject:[`Category`,`Comment`,`Tab`,`Topic`,`User`],Payload:`BanPayload.BlockPayload.BookmarkPayload.ChangeEmailPayload.ChangeLoginPayload.ChangePasswordPayload.CreateCategoryPayload.CreateCommentPayload.CreateGroupPayload.CreateInvitationPayload.CreateListPayload.CreateTabPayload.CreateTokenPayload.CreateTopicPayload.DeactivateUserPayload.DeleteAccountPayload.DeleteCategoryPayload.DeleteCommentPayload.DeleteGroupPayload.DeleteListPayload.DeleteTabPayload.DeleteTopicPayload.DeleteUserPayload.EndSessionsPayload.ExportAccountPayload.FollowPayload.HidePostsPayload.LinkAccountPayload.LoginPayload.LogoutPayload.MarkReadPayload.ModeratePayload.RecordClicksPayload.RedactRevisionPayload.RegisterPayload.ReleaseValuesPayload.RenewTokenPayload.ReportPayload.ResolveApplicationPayload.ResolveReportsPayload.RetryTasksPayload.RevertActPayload.RevokeInvitationPayload.RevokeTokenPayload.SetCategoryModeratorsPayload.SetGroupManagersPayload.SetGroupMembersPayload.SetUserRolePayload.StartSessionPayload.TagTopicPayload.UnbanPayload.UnlinkAccountPayload.UpdateAccessPayload.UpdateBlocklistPayload.UpdateCategoryPayload.UpdateCommentPayload.UpdateGroupPayload.UpdateListMembersPayload.UpdateListPayload.UpdateProfilePayload.UpdateRulesPayload.UpdateTabPayload.UpdateTopicPayload.UpsertUserPayload.VotePayload.WarnPayload.WatchPayload`.split(`.`),UserError:[`BannedError`,`BlockedTextError`,`ConflictError`,`ForbiddenError`,`InvalidInputError`,`NewMemberError`,`NotFoundError`,`RateLimitedError`,`RejectedError`,`TakenError`,`VotingClosedError`]},Zr={Query:[`applications`,`categories`,`groups`,`moderationLog`,`reportQueue`,`tabs`,`tags`,`users`],Timeline:[`topics`],Topic:[`comments`,`revisions`,`thread`,`voters`],Comment:[`replies`,`revisions`],User:[`comments`,`followers`,`following`],UserList:[`members`],Group:[`members`],Viewer:[`blocked`,`lists`,`notifications`],Tab:[`categories`],ReportCase:[`reports`]};function Qr(e){let{after:t,...n}=e??{};return JSON.stringify(Object.entries(n).filter(([,e])=>e!=null).sort())}function $r(e,t,n){let r=new Map;for(let{fieldName:i,fieldKey:a,arguments:o}of e.inspectFields(t)){let s=i===n?e.resolve(t,a):null;if(typeof s!=`string`||o?.last!=null||o?.before!=null)continue;let c=Qr(o);r.has(c)||r.set(c,new Map),r.get(c).set(String(o?.after??``),s)}let i=new Map;for(let[t,n]of r){let r=[];for(let t=n.get(``);t!==void 0&&!r.includes(t);){r.push(t);let i=e.resolve(t,`pageInfo`);t=e.resolve(i,`hasNextPage`)?n.get(String(e.resolve(i,`endCursor`))):void 0}i.set(t,r)}return i}function ei(e,t,n){let r=t.map(t=>e.resolve(t,n)).filter(e=>Array.isArray(e));if(r.length===0)return;let i=new Map;for(let t of r.flat()){let r=n===`nodes`?t:e.resolve(t,`node`);i.has(r)||i.set(r,t)}return[...i.values()]}var ti={__typename:`CommentConnection`,totalCount:0,nodes:[],edges:[],pageInfo:{__typename:`PageInfo`,hasNextPage:!1,hasPreviousPage:!1,startCursor:null,endCursor:null}},ni=(e,t,n,{parentKey:r,parentFieldKey:i,fieldName:a})=>{let o=n.resolve(r,i);if(o===void 0&&a===`replies`&&n.resolve(r,`replyCount`)===0)return ti;let s=$r(n,r,a).get(Qr(t));if(o===void 0||!s?.length)return o;let c={__typename:n.resolve(s[0],`__typename`)};for(let e of[`nodes`,`edges`]){let t=ei(n,s,e);t&&(c[e]=t)}let l=n.resolve(s.at(-1),`pageInfo`);return l&&(c.pageInfo=l),c};function ri(e,t,n,r,i){for(let[a,o]of $r(e,t,n)){let t=i(a),n=t?o[0]:o.at(-1),s=n&&e.resolve(n,`pageInfo`),c=n&&e.resolve(n,`nodes`);n&&Array.isArray(c)&&(t||s&&!e.resolve(s,`hasNextPage`))&&(o.some(t=>e.resolve(t,`nodes`).includes(r))||e.link(n,`nodes`,t?[r,...c]:[...c,r]))}}function ii(e,t){if(!t)return;let n=e.keyOfEntity({__typename:`Comment`,id:t.id}),r=e=>e.includes(`"NEWEST"`);t.parent?ri(e,e.keyOfEntity({__typename:`Comment`,id:t.parent.id}),`replies`,n,r):t.topic&&ri(e,e.keyOfEntity({__typename:`Topic`,id:t.topic.id}),`comments`,n,r)}var ai=e=>(t,n,r)=>{let i=t[e];(i?.kind===void 0||i.kind===`ADDED`)&&ii(r,i?.comment)};function oi(e,t,n){let r=e.notificationAdded;r?.kind===`ADDED`&&r.notification&&ri(n,n.keyOfEntity({__typename:`Viewer`,id:r.viewer.id}),`notifications`,n.keyOfEntity({__typename:`Notification`,id:r.notification.id}),()=>!0)}var M=()=>null,si=e=>`votes-of-${String(e)}`;function ci({input:e},t){let n=si(e.subjectId),[r,i]=[Number(t.resolve(n,`up`)??0),Number(t.resolve(n,`down`)??0)],a=t.resolve(n,`viewerVote`),o=t=>Number(e.direction===t)-Number(a===t),s={__typename:`VoteSummary`,subjectId:e.subjectId,viewerVote:e.direction,up:r+o(`UP`),down:i+o(`DOWN`),net:r+o(`UP`)-i-o(`DOWN`),isOpen:!0,closesAt:t.resolve(n,`closesAt`)??null};return{__typename:`VotePayload`,changed:!0,errors:[],subject:{__typename:String(t.resolve(e.subjectId,`__typename`)??`Topic`),id:e.subjectId,votes:s}}}function li({input:e}){return{__typename:`BookmarkPayload`,changed:!0,errors:[],topic:{__typename:`Topic`,id:e.topicId,viewerHasBookmarked:e.bookmarked??!0}}}var ui={globalIDs:!0,possibleTypes:Xr,keys:{VoteSummary:e=>e.subjectId?si(e.subjectId):null,Site:M,RankExplanation:M,RankTerm:M,PageInfo:M,CategoryAccess:M,CategoryConnection:M,CommentConnection:M,NotificationConnection:M,TabConnection:M,TagConnection:M,TagEdge:M,Preview:M,Application:e=>e.userId?`application:${String(e.userId)}`:null,ReportCase:e=>e.subjectId?`case:${String(e.subjectId)}`:null,SiteRules:M,Tasks:M,DeadTask:M,Ban:M,Report:M,Revision:M,Hunk:M,HunkLine:M,ModerationActConnection:M,ReportCaseConnection:M,ReportConnection:M,ApplicationConnection:M,ApplicationEdge:M,RevisionConnection:M,ModerationActEdge:M,ReportCaseEdge:M,ReportEdge:M,RevisionEdge:M,TopicConnection:M,UserConnection:M,UserListConnection:M,GroupConnection:M,GroupEdge:M,GroupMember:M,GroupMemberConnection:M,GroupMemberEdge:M,ViewerGroup:M,CategoryEdge:M,CommentEdge:M,NotificationEdge:M,TabEdge:M,TopicEdge:M,UserEdge:M,UserListEdge:M},resolvers:{...Object.fromEntries(Object.entries(Zr).map(([e,t])=>[e,Object.fromEntries(t.map(e=>[e,ni]))])),Query:{...Object.fromEntries(Zr.Query.map(e=>[e,ni])),node:(e,t,n)=>e.node??(n.resolve(String(t.id),`__typename`)?String(t.id):void 0)}},optimistic:{vote:ci,bookmark:li},updates:{Mutation:{createComment:(e,t,n)=>ii(n,e.createComment?.comment)},Subscription:{commentAdded:ai(`commentAdded`),commentsUpdated:ai(`commentsUpdated`),notificationAdded:oi}}},di=Ut({onResult(e){if(!e.data||!e.error?.graphQLErrors.length)return;let t=structuredClone(e.data),n=e.error.graphQLErrors.map(e=>{let n=t;for(let[t,r]of(e.path??[]).entries()){if(n[r]==null)return Array.isArray(n)||delete n[r],{...e,message:e.message,path:e.path.slice(0,t+1)};n=n[r]}return e});return{...e,data:t,error:new Qe({graphQLErrors:n,response:e.error.response})}}});function fi(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function pi(e){return fi(e)===`object`}function mi(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function hi(e,t){return e.length<124?e:t}var gi=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(gi||{}),_i=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))(_i||{});function vi(e){if(!pi(e))throw Error(`Message is expected to be an object, but got ${fi(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${fi(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!pi(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${fi(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!pi(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${fi(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${fi(e.payload.query)}`);if(e.payload.variables!=null&&!pi(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${fi(e.payload.variables)}`);if(e.payload.operationName!=null&&fi(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${fi(e.payload.operationName)}`);if(e.payload.extensions!=null&&!pi(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${fi(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${fi(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!pi(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${fi(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${fi(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!mi(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${fi(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function yi(e,t){return vi(typeof e==`string`?JSON.parse(e,t):e)}function bi(e,t){return vi(e),JSON.stringify(e,t)}function xi(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:s,connectionAckWaitTimeout:c=0,retryAttempts:l=5,retryWait:u=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:d=Ci,on:f,webSocketImpl:p,generateID:m=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:h,jsonMessageReviver:g}=e,_;if(p){if(!Ti(p))throw Error(`Invalid WebSocket implementation provided`);_=p}else typeof WebSocket<`u`?_=WebSocket:typeof global<`u`?_=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(_=window.WebSocket||window.MozWebSocket);if(!_)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let v=_,y=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:f?.connecting?[f.connecting]:[],opened:f?.opened?[f.opened]:[],connected:f?.connected?[f.connected]:[],ping:f?.ping?[f.ping]:[],pong:f?.pong?[f.pong]:[],message:f?.message?[e.emit,f.message]:[e.emit],closed:f?.closed?[f.closed]:[],error:f?.error?[f.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function b(e){let t=[y.on(`error`,n=>{t.forEach(e=>e()),e(n)}),y.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let x,S=0,C,ee=!1,w=0,te=!1;async function T(){clearTimeout(C);let[e,r]=await(x??=new Promise((e,r)=>(async()=>{if(ee){if(await u(w),!S)return x=void 0,r({code:1e3,reason:`All Subscriptions Gone`});w++}y.emit(`connecting`,ee);let i=new v(typeof t==`function`?await t():t,`graphql-transport-ws`),a,l;function d(){isFinite(o)&&o>0&&(clearTimeout(l),l=setTimeout(()=>{i.readyState===v.OPEN&&(i.send(bi({type:_i.Ping})),y.emit(`ping`,!1,void 0))},o))}b(e=>{x=void 0,clearTimeout(a),clearTimeout(l),r(e),e instanceof Si&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>y.emit(`error`,e),i.onclose=e=>y.emit(`closed`,e),i.onopen=async()=>{try{y.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==v.OPEN)return;i.send(bi(e?{type:_i.ConnectionInit,payload:e}:{type:_i.ConnectionInit},h)),isFinite(c)&&c>0&&(a=setTimeout(()=>{i.close(gi.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},c)),d()}catch(e){y.emit(`error`,e),i.close(gi.InternalClientError,hi(e instanceof Error?e.message:String(e),`Internal client error`))}};let f=!1;i.onmessage=({data:t})=>{try{let n=yi(t,g);if(y.emit(`message`,n),n.type===`ping`||n.type===`pong`){y.emit(n.type,!0,n.payload),n.type===`pong`?d():s||(i.send(bi(n.payload?{type:_i.Pong,payload:n.payload}:{type:_i.Pong},h)),y.emit(`pong`,!1,n.payload));return}if(f)return;if(n.type!==_i.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),f=!0,y.emit(`connected`,i,n.payload,ee),ee=!1,w=0;let r=new Promise((e,t)=>b(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,y.emit(`error`,e),i.close(gi.BadResponse,hi(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===v.CLOSING&&await r;let i=()=>{},l=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=b(n);e.readyState!==v.OPEN&&r.catch(n),l.then(()=>{if(i(),!S){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(C),C=setTimeout(()=>{!S&&e.readyState===v.OPEN&&t()},a)):t()}t()})})]}function ne(e){if(Ci(e)&&(wi(e.code)||[gi.InternalServerError,gi.InternalClientError,gi.BadRequest,gi.BadResponse,gi.Unauthorized,gi.SubprotocolNotAcceptable,gi.SubscriberAlreadyExists,gi.TooManyInitialisationRequests].includes(e.code)))throw e;if(te)return!1;if(Ci(e)&&e.code===1e3)return S>0;if(!l||w>=l||!d(e))throw e;return ee=!0}r||(async()=>{for(S++;;)try{let[,,e]=await T();await e}catch(e){try{if(!ne(e))return}catch(e){return i?.(e)}}})();function re(e,t){let n=m(e),r=!1,i=!1,a=()=>{S--,r=!0};return(async()=>{for(S++;;)try{let[o,s,c]=await T();if(r)return c.catch(()=>{}),s();let l=y.onMessage(n,e=>{switch(e.type){case _i.Next:t.next(e.payload);return;case _i.Error:i=!0,r=!0,t.error(e.payload),a();return;case _i.Complete:r=!0,a();return}});o.send(bi({id:n,type:_i.Subscribe,payload:e},h)),a=()=>{!r&&o.readyState===v.OPEN&&o.send(bi({id:n,type:_i.Complete},h)),S--,r=!0,s()},await c.finally(l);return}catch(e){if(!ne(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:y.on,subscribe:re,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=re(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(te=!0,x){let[e]=await x;e.close(1e3,`Normal Closure`)}},terminate(){x&&y.emit(`closed`,new Si)}}}var Si=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function Ci(e){return pi(e)&&`code`in e&&`reason`in e}function wi(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function Ti(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}var Ei=(e,t=1e3)=>new Promise(n=>setTimeout(n,t*Math.min(2**e,30)*(1+Math.random())));function Di(e){let t=new Map;return n=>{let r=n??void 0,i=t.get(r)??(async()=>await e(r)||null)().finally(()=>t.delete(r));return t.set(r,i),i}}function Oi(e){try{let{exp:t}=JSON.parse(atob(e.split(`.`)[1].replaceAll(`-`,`+`).replaceAll(`_`,`/`)));return typeof t==`number`?t*1e3:void 0}catch{return}}var ki=2**31-1,Ai=1e3,ji=3,Mi=class{ask;token=null;since=NaN;refused=0;deciding;timer;constructor(e){this.ask=e}async open(){return this.close(),this.since=NaN,this.token=await this.ask(),this.token?{authorization:`Bearer ${this.token}`}:{}}opened(e){this.since=Date.now(),this.watch(e,0)}renewed(e,t){this.token=e,this.watch(t,0)}watch(e,t){this.close();let n=Oi(this.token);if(n===void 0)return;let r=Math.max((n-Date.now())*.75,1e3*2**t),i=this.timer=setTimeout(async()=>{let n=await this.ask(this.token).catch(()=>this.token);this.timer===i&&(n===this.token?this.watch(e,t+1):e(n))},Math.min(r,ki))}close(){clearTimeout(this.timer),this.timer=void 0}again(){return this.deciding??=this.decide().finally(()=>{this.deciding=void 0})}async decide(){Date.now()-this.since>Ai&&(this.refused=0);let{token:e}=this;return await this.ask(e).catch(()=>void 0)===e||++this.refused>ji?!1:(this.refused>1&&await Ei(this.refused-2),!0)}},Ni=e=>Yr(e)===`UNAUTHENTICATED`;function Pi(e,t,n,r){let i={...t.variables},a,o=!1,s=0,c=()=>{let l=++s,u,d=async e=>{let t=r(e);if(!t)return n.error(e);a();let i=++s,l=await t;if(o)return n.complete();i===s&&(l?c():n.error(new qr(e)))};a=e({...t,variables:i},{next(e){if(l===s){if(e.data===void 0&&Ni(e.errors))u=e.errors;else{n.next(e);for(let t of Object.values(e.data??{}))t?.eventId&&(i.after=t.eventId)}}},error:e=>void(l===s&&d(e)),complete:()=>void(l===s&&(u?d(u):n.complete()))})};return c(),{stop:()=>{o=!0,a()},restart:()=>{s++,a(),o||c()}}}var Fi=`mutation ($token: String!) { renewToken(input: {token: $token}) { expiresAt } }`;function Ii({url:e,token:t,patience:n=5e3,on:r,...i}){let a=new Mi(Di(t)),o=new WeakMap,s,c,l=!1,u=0,d=xi({url:async()=>(s=a.open(),await s.catch(()=>{}),e.replace(/^http/,`ws`)),connectionParams:()=>s.catch(()=>(d.terminate(),{})),shouldRetry:()=>!0,retryAttempts:1/0,retryWait:e=>Ei(e),keepAlive:1e4,on:{...r,connected:(e,t,n)=>{u++,a.opened(f),r?.connected?.(e,t,n||l),l=!1},ping:(e,t)=>{e||(c=setTimeout(()=>d.terminate(),n)),r?.ping?.(e,t)},pong:(e,t)=>{e&&clearTimeout(c),r?.pong?.(e,t)},closed:e=>{if(u++,clearTimeout(c),a.close(),e.code===4401){let t=a.again();o.set(e,t),t.then(e=>l=e)}r?.closed?.(e)}},...i}),f=e=>{if(!e)return d.terminate();let t=u,n=!1,r=()=>{i(),t===u&&(n?a.renewed(e,f):d.terminate())},i=d.subscribe({query:Fi,variables:{token:e}},{next:({data:e})=>{n=!!e?.renewToken.expiresAt},error:r,complete:r})},p=e=>o.get(e)??(Ni(e)?m():void 0),m=async()=>{let e=await a.again();return l||=e,e&&d.terminate(),e};return{...d,subscribe:((e,t)=>Pi(d.subscribe,e,t,p).stop)}}function Li(e){let t=new Set;return{value:e,set(e){this.value=e;for(let e of t)e()},watch(e){return t.add(e),()=>t.delete(e)}}}function Ri(e){return(0,_.useSyncExternalStore)(t=>e.watch(t),()=>e.value)}function zi(e){let t=Li(localStorage.getItem(e)??``),n=t.set.bind(t);return addEventListener(`storage`,t=>{t.key===e&&n(t.newValue??``)}),t.set=t=>{t?localStorage.setItem(e,t):localStorage.removeItem(e),n(t)},t}var Bi=Li([]),Vi=Li(!1),Hi=()=>Vi.value?{"agora-trace":`1`}:{},Ui=0;function Wi(e,t,n,r){let i=/\b(?:query|mutation|subscription)\s+(\w+)/.exec(e)?.[1]??`operation`,{redis:a,cost:o}=n.extensions??{},s=!!n.errors;a&&!Vi.value&&Vi.set(!0);let c={id:++Ui,name:i,query:e,variables:t,failed:s,...a,...o,...r};Bi.set([c,...Bi.value].slice(0,40))}var Gi=async(e,t)=>{let n=performance.now(),r=await fetch(e,t),i=await r.text();try{let{query:e,variables:a}=JSON.parse(String(t?.body)),o=new Blob([i]).size;Wi(e,a,JSON.parse(i),{how:`HTTP`,ms:Math.round(performance.now()-n),bytes:o,sent:Number(r.headers.get(`content-length`)??o)})}catch{}return new Response(i,r)},Ki=zi(`agora:user`),qi=Li(`idle`),Ji=Li(0);function Yi(e){let t=new URL(`/graphql`,location.href).href,n=Ii({url:t,token:()=>null,on:{connected:(e,t,n)=>{qi.set(`open`),n&&Ji.set(Ji.value+1)},closed:e=>qi.set(e.code===1e3?`idle`:`lost`),message:e=>{if(e.type===`next`&&!e.payload.errors){let t=Zi.get(e.id),n=JSON.stringify(e).length;t&&Wi(t.query,t.variables,e.payload,{how:`event`,bytes:n})}}},generateID:e=>{let t=String(++Xi);return Zi.set(t,{query:e.query,variables:e.variables}),t}});return{client:new Gt({url:t,preferGetMethod:!1,fetch:Gi,fetchOptions:()=>({headers:Hi()}),exchanges:[Ut({onError:t=>{Yr(t)===`UNAUTHENTICATED`&&Ki.value===e&&Ki.set(``)}}),Gr(ui),di,Vt,Bt({forwardSubscription:({query:e=``,variables:t})=>({subscribe:r=>({unsubscribe:n.subscribe({query:e,variables:t},r)})})})]}),close:()=>void n.dispose()}}var Xi=0,Zi=new Map,Qi=e=>e.toString();function N(e,t,n={}){let[{data:r,error:i,fetching:a,stale:o},s]=an({query:Qi(e),variables:t,...n});return{data:r,error:i,fetching:a,stale:o,refresh:()=>s({requestPolicy:`network-only`})}}function P(){let e=Jt();return async(t,n,r=`network-only`)=>(await e.query(Qi(t),n,{requestPolicy:r}).toPromise()).data}function F(e){let[,t]=A(Qi(e));return async(e,n=``)=>{let r=n?{...Hi(),authorization:`Bearer ${n}`}:Hi(),{data:i,error:a}=await t(e,{fetchOptions:{headers:r}});if(i)return i;throw a?.networkError?Error(`The server cannot be reached. Try again.`):Error(a?.graphQLErrors[0]?.message??`Something went wrong.`)}}function $i(e,t,n,r){on({query:Qi(e),variables:t,pause:n},(e,t)=>(r?.(t),null))}var ea=Li(new URL(location.href)),ta=()=>ea.set(new URL(location.href));addEventListener(`popstate`,ta);function na(e,t=`push`){history[t===`push`?`pushState`:`replaceState`](null,``,e),ta(),t===`push`&&(scrollTo(0,0),document.querySelector(`main`)?.focus({preventScroll:!0}))}function ra(e){try{let t=new URL(e,location.href);if(t.origin===location.origin)return t.href}catch{}return new URL(`/`,location.href).href}var ia=/^\/(playground|docs|graphql|schema\.graphql|takeout|metrics|healthz|readyz)(\/|$)/;document.addEventListener(`click`,e=>{let t=e.target.closest?.(`a[href]`);t instanceof HTMLAnchorElement&&!t.target&&t.origin===location.origin&&(e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||ia.test(t.pathname)||t.hash&&t.pathname===location.pathname||(e.preventDefault(),na(t.href)))});var aa=()=>Ri(ea);function oa(e,t){let[n,r]=[e.split(`/`),t.replace(/(.)\/$/,`$1`).split(`/`)];if(n.length!==r.length)return null;let i={};for(let[e,t]of n.entries()){let n=r[e],a=t.indexOf(`:`);if(a<0?t!==n:!n.startsWith(t.slice(0,a))||n.length<=a)return null;a>=0&&(i[t.slice(a+1)]=sa(n.slice(a)))}return i}function sa(e){try{return decodeURIComponent(e)}catch{return e}}function I(e,t){let n=new URLSearchParams(e.search);for(let[e,r]of Object.entries(t))r?n.set(e,r):n.delete(e);return e.pathname+(n.size?`?${n}`:``)}var L=(...e)=>`/${e.map(encodeURIComponent).join(`/`)}`,R=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new R(`
    fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
    `,{fragmentName:`CategoryName`}),new R(`
    fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
    `,{fragmentName:`Group`}),new R(`
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
    fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`,{fragmentName:`Lists`}),new R(`
    fragment Permits on CategoryAccess {
  sees
  posts
  replies
  viewerCan
}
    `,{fragmentName:`Permits`}),new R(`
    fragment Access on Query {
  site {
    uncategorised {
      ...Permits
    }
  }
  categories(first: 100) {
    nodes {
      id
      access {
        ...Permits
        groups {
          id
          name
        }
      }
    }
  }
}
    fragment Permits on CategoryAccess {
  sees
  posts
  replies
  viewerCan
}`,{fragmentName:`Access`}),new R(`
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
    `,{fragmentName:`Person`}),new R(`
    fragment Notice on Notification {
  id
  reason
  createdAt
  isRead
  actor {
    ...Person
  }
  subject {
    __typename
    ... on Comment {
      id
      number
      excerpt(length: 160)
      topic {
        id
        number
        title
      }
    }
    ... on Topic {
      id
      number
      title
    }
    ... on User {
      id
      login
    }
  }
  act {
    id
    action
    reason
    note
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`,{fragmentName:`Notice`}),new R(`
    fragment Token on ApiToken {
  id
  name
  scopes
  lastUsedAt
  expiresAt
}
    `,{fragmentName:`Token`}),new R(`
    fragment Invitation on Invitation {
  id
  code
  note
  usesLeft
  expiresAt
}
    `,{fragmentName:`Invitation`}),new R(`
    fragment AllTabs on Query {
  all: tabs(first: 100) {
    nodes {
      id
      name
      position
      categories(first: 50) {
        nodes {
          ...CategoryName
        }
      }
    }
  }
}
    fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`,{fragmentName:`AllTabs`}),new R(`
    fragment Team on Category {
  ...CategoryName
  moderators {
    ...Person
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`,{fragmentName:`Team`}),new R(`
    fragment Rules on Site {
  access
  publicModerationLog
  showModerators
  rules {
    newMemberSeconds
    newMemberKarma
    newMemberLinks
    newMemberPostsPerDay
    newMemberMentions
    heldPosts
    refuseDuplicates
    registration
    invitationsBy
    memberList
  }
}
    `,{fragmentName:`Rules`}),new R(`
    fragment Tasks on Tasks {
  due
  waiting
  dead
  deadTasks {
    name
    work
    attempts
    failure
    givenUpAt
    subject {
      __typename
      ... on Topic {
        id
        number
        title
      }
      ... on Comment {
        id
        number
        topic {
          id
          number
          title
        }
      }
      ... on User {
        id
        login
      }
    }
  }
}
    `,{fragmentName:`Tasks`}),new R(`
    fragment Applicant on Application {
  userId
  login
  name
  text
  createdAt
  state
  rejection {
    id
    reason
    note
  }
}
    `,{fragmentName:`Applicant`}),new R(`
    fragment Present on ModerationSubject {
  __typename
  ... on Topic {
    id
    number
    topicState: state
    title
    content
    link
    tags {
      id
      name
    }
  }
  ... on Comment {
    id
    number
    commentState: state
    content
    topic {
      id
      number
      title
    }
  }
  ... on User {
    id
    login
    name
    bio
    website
    avatarUrl
  }
}
    `,{fragmentName:`Present`}),new R(`
    fragment Copy on Evidence {
  cause
  takenAt
  revision
  title
  content
  isTruncated
  link
  tags
  login
  name
  avatarUrl
  author {
    ...Person
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`,{fragmentName:`Copy`}),new R(`
    fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
    `,{fragmentName:`State`}),new R(`
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
    fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`,{fragmentName:`Act`}),new R(`
    fragment Case on ReportCase {
  subjectId
  state
  reportCount
  throughReport
  firstReportedAt
  lastReportedAt
  isHeld
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  reasons {
    reason
    count
  }
  subject {
    ...Present
    ... on Topic {
      id
      contentHtml
    }
    ... on Comment {
      id
      contentHtml
    }
  }
  evidence {
    ...Copy
  }
  reports(first: 5) {
    nodes {
      number
      reason
      note
      createdAt
      reporter {
        ...Person
      }
    }
  }
  resolvedBy {
    ...Act
  }
}
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment Copy on Evidence {
  cause
  takenAt
  revision
  title
  content
  isTruncated
  link
  tags
  login
  name
  avatarUrl
  author {
    ...Person
  }
}
fragment Present on ModerationSubject {
  __typename
  ... on Topic {
    id
    number
    topicState: state
    title
    content
    link
    tags {
      id
      name
    }
  }
  ... on Comment {
    id
    number
    commentState: state
    content
    topic {
      id
      number
      title
    }
  }
  ... on User {
    id
    login
    name
    bio
    website
    avatarUrl
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`,{fragmentName:`Case`}),new R(`
    fragment Version on Revision {
  number
  createdAt
  isRedacted
  title
  editor {
    ...Person
  }
  hunks {
    oldStart
    isTruncated
    lines {
      change
      text
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`,{fragmentName:`Version`}),new R(`
    fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
    `,{fragmentName:`Votes`}),new R(`
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`,{fragmentName:`CommentText`}),new R(`
    fragment CommentPage on CommentConnection {
  nodes {
    ...CommentText
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`,{fragmentName:`CommentPage`}),new R(`
    fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`,{fragmentName:`TopicRow`}),new R(`
    fragment TopicText on Topic {
  ...TopicRow
  contentHtml
  editedAt
  deletedAt
  clickCount
  commentsEventId
  viewerCan
  viewerIsWatching
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`,{fragmentName:`TopicText`}),new R(`
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
    `,{fragmentName:`errors`}),new R(`
    fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`,{fragmentName:`Rows`});var ca=new R(`
    query Access {
  ...Access
}
    fragment Permits on CategoryAccess {
  sees
  posts
  replies
  viewerCan
}
fragment Access on Query {
  site {
    uncategorised {
      ...Permits
    }
  }
  categories(first: 100) {
    nodes {
      id
      access {
        ...Permits
        groups {
          id
          name
        }
      }
    }
  }
}`),la=new R(`
    query Shell {
  site {
    name
    userCount
    topicCount
    commentCount
    publicModerationLog
    registration
    signIn {
      local
      issuers
      page
    }
  }
  ...Lists
  viewer {
    id
    unreadNotificationCount
    notificationsEventId
    user {
      ...Person
    }
    moderates {
      id
      name
    }
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),ua=new R(`
    query Entrance {
  site {
    name
    registration
    signIn {
      local
      issuers
      page
    }
  }
}
    `),da=new R(`
    query Popular {
  dayRank {
    id
    topics(first: 5) {
      nodes {
        id
        number
        title
        commentCountToday
      }
    }
  }
}
    `),fa=new R(`
    query Notifications($after: String) {
  viewer {
    id
    notifications(first: 20, after: $after) {
      nodes {
        ...Notice
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment Notice on Notification {
  id
  reason
  createdAt
  isRead
  actor {
    ...Person
  }
  subject {
    __typename
    ... on Comment {
      id
      number
      excerpt(length: 160)
      topic {
        id
        number
        title
      }
    }
    ... on Topic {
      id
      number
      title
    }
    ... on User {
      id
      login
    }
  }
  act {
    id
    action
    reason
    note
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),pa=new R(`
    subscription NotificationAdded($after: String) {
  notificationAdded(after: $after) {
    eventId
    kind
    notification {
      ...Notice
    }
    viewer {
      id
      unreadNotificationCount
    }
  }
}
    fragment Notice on Notification {
  id
  reason
  createdAt
  isRead
  actor {
    ...Person
  }
  subject {
    __typename
    ... on Comment {
      id
      number
      excerpt(length: 160)
      topic {
        id
        number
        title
      }
    }
    ... on Topic {
      id
      number
      title
    }
    ... on User {
      id
      login
    }
  }
  act {
    id
    action
    reason
    note
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),ma=new R(`
    mutation Login($input: LoginInput!) {
  login(input: $input) {
    viewer {
      id
      user {
        id
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),ha=new R(`
    mutation StartSession {
  startSession(input: {cookie: true}) {
    viewer {
      id
      user {
        id
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),ga=new R(`
    mutation Register($input: RegisterInput!) {
  register(input: $input) {
    viewer {
      id
      user {
        id
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),_a=new R(`
    mutation Logout($id: ID) {
  logout(input: {sessionId: $id}) {
    endedSessionId
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),va=new R(`
    mutation Follow($input: FollowInput!) {
  follow(input: $input) {
    target {
      id
      followerCount
      viewerIsFollowing
    }
    viewer {
      id
      home {
        id
      }
      user {
        id
        followingCount
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),ya=new R(`
    mutation Block($input: BlockInput!) {
  block(input: $input) {
    user {
      id
      viewerIsBlocking
      viewerIsFollowing
      followerCount
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),ba=new R(`
    query Lists {
  viewer {
    id
    lists(first: 100) {
      nodes {
        id
        name
        memberCount
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `),xa=new R(`
    mutation CreateList($name: String!) {
  createList(input: {name: $name}) {
    list {
      id
      name
      memberCount
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Sa=new R(`
    mutation DeleteList($id: ID!) {
  deleteList(input: {listId: $id}) {
    deletedListId
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Ca=new R(`
    mutation SetMembers($input: UpdateListMembersInput!) {
  updateListMembers(input: $input) {
    list {
      id
      memberCount
      members(first: 50) {
        nodes {
          ...Person
        }
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),wa=new R(`
    query FindUser($login: String!) {
  user(by: {login: $login}) {
    ...Person
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),Ta=new R(`
    query Account {
  viewer {
    id
    email
    sessions {
      id
      createdAt
      lastSeenAt
      userAgent
      isCurrent
    }
    tokens {
      ...Token
    }
    user {
      ...Person
      bio
      website
    }
  }
}
    fragment Token on ApiToken {
  id
  name
  scopes
  lastUsedAt
  expiresAt
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),Ea=new R(`
    mutation CreateToken($input: CreateTokenInput!) {
  createToken(input: $input) {
    token
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Da=new R(`
    mutation ExportAccount {
  exportAccount(input: {}) {
    url
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Oa=new R(`
    mutation RevokeToken($id: ID!) {
  revokeToken(input: {tokenId: $id}) {
    revokedTokenId
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),ka=new R(`
    mutation UpdateProfile($input: UpdateProfileInput!) {
  updateProfile(input: $input) {
    viewer {
      id
      user {
        ...Person
        bio
        website
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),Aa=new R(`
    query Invitations {
  site {
    name
    registration
    rules {
      invitationsBy
    }
  }
  viewer {
    id
    invitations {
      ...Invitation
    }
  }
}
    fragment Invitation on Invitation {
  id
  code
  note
  usesLeft
  expiresAt
}`),ja=new R(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    invitation {
      ...Invitation
    }
    ...errors
  }
}
    fragment Invitation on Invitation {
  id
  code
  note
  usesLeft
  expiresAt
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Ma=new R(`
    mutation RevokeInvitation($id: ID!) {
  revokeInvitation(input: {invitationId: $id}) {
    invitation {
      ...Invitation
    }
    ...errors
  }
}
    fragment Invitation on Invitation {
  id
  code
  note
  usesLeft
  expiresAt
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Na=new R(`
    mutation SetRole($input: SetUserRoleInput!) {
  setUserRole(input: $input) {
    user {
      id
      role
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Pa=new R(`
    mutation CreateCategory($input: CreateCategoryInput!) {
  createCategory(input: $input) {
    category {
      id
    }
    query {
      ...Lists
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Fa=new R(`
    mutation UpdateCategory($input: UpdateCategoryInput!) {
  updateCategory(input: $input) {
    category {
      id
    }
    query {
      ...Lists
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Ia=new R(`
    mutation DeleteCategory($id: ID!) {
  deleteCategory(input: {category: {id: $id}}) {
    deletedCategoryId
    query {
      ...Lists
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),La=new R(`
    mutation UpdateAccess($input: UpdateAccessInput!) {
  updateAccess(input: $input) {
    query {
      ...Access
    }
    ...errors
  }
}
    fragment Permits on CategoryAccess {
  sees
  posts
  replies
  viewerCan
}
fragment Access on Query {
  site {
    uncategorised {
      ...Permits
    }
  }
  categories(first: 100) {
    nodes {
      id
      access {
        ...Permits
        groups {
          id
          name
        }
      }
    }
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Ra=new R(`
    query AllTabs {
  ...AllTabs
}
    fragment AllTabs on Query {
  all: tabs(first: 100) {
    nodes {
      id
      name
      position
      categories(first: 50) {
        nodes {
          ...CategoryName
        }
      }
    }
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),za=new R(`
    mutation CreateTab($input: CreateTabInput!) {
  createTab(input: $input) {
    tab {
      id
    }
    query {
      ...Lists
      ...AllTabs
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment AllTabs on Query {
  all: tabs(first: 100) {
    nodes {
      id
      name
      position
      categories(first: 50) {
        nodes {
          ...CategoryName
        }
      }
    }
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Ba=new R(`
    mutation UpdateTab($input: UpdateTabInput!) {
  updateTab(input: $input) {
    tab {
      id
    }
    query {
      ...Lists
      ...AllTabs
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment AllTabs on Query {
  all: tabs(first: 100) {
    nodes {
      id
      name
      position
      categories(first: 50) {
        nodes {
          ...CategoryName
        }
      }
    }
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Va=new R(`
    mutation DeleteTab($id: ID!) {
  deleteTab(input: {tabId: $id}) {
    deletedTabId
    query {
      ...Lists
      ...AllTabs
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment AllTabs on Query {
  all: tabs(first: 100) {
    nodes {
      id
      name
      position
      categories(first: 50) {
        nodes {
          ...CategoryName
        }
      }
    }
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Ha=new R(`
    query GroupMembers($id: ID!, $after: String) {
  group(by: {id: $id}) {
    id
    memberCount
    members(first: 50, after: $after) {
      nodes {
        until
        user {
          ...Person
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    managers {
      ...Person
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),Ua=new R(`
    mutation CreateGroup($input: CreateGroupInput!) {
  createGroup(input: $input) {
    group {
      id
    }
    query {
      ...Lists
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Wa=new R(`
    mutation UpdateGroup($input: UpdateGroupInput!) {
  updateGroup(input: $input) {
    group {
      ...Group
    }
    ...errors
  }
}
    fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Ga=new R(`
    mutation DeleteGroup($id: ID!) {
  deleteGroup(input: {group: {id: $id}}) {
    deletedGroupId
    query {
      ...Lists
      ...Access
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment Permits on CategoryAccess {
  sees
  posts
  replies
  viewerCan
}
fragment Access on Query {
  site {
    uncategorised {
      ...Permits
    }
  }
  categories(first: 100) {
    nodes {
      id
      access {
        ...Permits
        groups {
          id
          name
        }
      }
    }
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Ka=new R(`
    mutation SetGroupMembers($input: SetGroupMembersInput!) {
  setGroupMembers(input: $input) {
    changed
    group {
      ...Group
    }
    ...errors
  }
}
    fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),qa=new R(`
    mutation SetGroupManagers($input: SetGroupManagersInput!) {
  setGroupManagers(input: $input) {
    changed
    group {
      ...Group
      managers {
        ...Person
      }
    }
    ...errors
  }
}
    fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),Ja=new R(`
    query Blocklist($kind: BlockKind!) {
  blocklist(kind: $kind)
}
    `),Ya=new R(`
    mutation UpdateBlocklist($kind: BlockKind!, $add: [String!], $remove: [String!]) {
  updateBlocklist(input: {kind: $kind, add: $add, remove: $remove}) {
    query {
      blocklist(kind: $kind)
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Xa=new R(`
    query Team {
  categories(first: 100) {
    nodes {
      ...Team
    }
  }
}
    fragment Team on Category {
  ...CategoryName
  moderators {
    ...Person
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Za=new R(`
    mutation SetModerators($input: SetCategoryModeratorsInput!) {
  setCategoryModerators(input: $input) {
    changed
    category {
      ...Team
    }
    ...errors
  }
}
    fragment Team on Category {
  ...CategoryName
  moderators {
    ...Person
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),Qa=new R(`
    query Rules {
  site {
    ...Rules
  }
}
    fragment Rules on Site {
  access
  publicModerationLog
  showModerators
  rules {
    newMemberSeconds
    newMemberKarma
    newMemberLinks
    newMemberPostsPerDay
    newMemberMentions
    heldPosts
    refuseDuplicates
    registration
    invitationsBy
    memberList
  }
}`),$a=new R(`
    mutation UpdateRules($input: UpdateRulesInput!) {
  updateRules(input: $input) {
    query {
      site {
        ...Rules
      }
    }
    ...errors
  }
}
    fragment Rules on Site {
  access
  publicModerationLog
  showModerators
  rules {
    newMemberSeconds
    newMemberKarma
    newMemberLinks
    newMemberPostsPerDay
    newMemberMentions
    heldPosts
    refuseDuplicates
    registration
    invitationsBy
    memberList
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),eo=new R(`
    query Tasks {
  tasks {
    ...Tasks
  }
}
    fragment Tasks on Tasks {
  due
  waiting
  dead
  deadTasks {
    name
    work
    attempts
    failure
    givenUpAt
    subject {
      __typename
      ... on Topic {
        id
        number
        title
      }
      ... on Comment {
        id
        number
        topic {
          id
          number
          title
        }
      }
      ... on User {
        id
        login
      }
    }
  }
}`),to=new R(`
    mutation RetryTasks($name: String) {
  retryTasks(input: {name: $name}) {
    retriedCount
    query {
      tasks {
        ...Tasks
      }
    }
    ...errors
  }
}
    fragment Tasks on Tasks {
  due
  waiting
  dead
  deadTasks {
    name
    work
    attempts
    failure
    givenUpAt
    subject {
      __typename
      ... on Topic {
        id
        number
        title
      }
      ... on Comment {
        id
        number
        topic {
          id
          number
          title
        }
      }
      ... on User {
        id
        login
      }
    }
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),no=new R(`
    query Applications($state: ApplicationState, $after: String) {
  applications(first: 20, after: $after, state: $state) {
    nodes {
      ...Applicant
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Applicant on Application {
  userId
  login
  name
  text
  createdAt
  state
  rejection {
    id
    reason
    note
  }
}`),ro=new R(`
    mutation ResolveApplication($input: ResolveApplicationInput!) {
  resolveApplication(input: $input) {
    changed
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),io=new R(`
    query Kept($id: ID!) {
  node(id: $id) {
    id
    ... on Topic {
      ...Present
      evidence {
        ...Copy
      }
    }
    ... on Comment {
      ...Present
      evidence {
        ...Copy
      }
    }
    ... on ModerationAct {
      subject {
        ...Present
      }
      evidence {
        ...Copy
      }
    }
  }
}
    fragment Copy on Evidence {
  cause
  takenAt
  revision
  title
  content
  isTruncated
  link
  tags
  login
  name
  avatarUrl
  author {
    ...Person
  }
}
fragment Present on ModerationSubject {
  __typename
  ... on Topic {
    id
    number
    topicState: state
    title
    content
    link
    tags {
      id
      name
    }
  }
  ... on Comment {
    id
    number
    commentState: state
    content
    topic {
      id
      number
      title
    }
  }
  ... on User {
    id
    login
    name
    bio
    website
    avatarUrl
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),ao=new R(`
    query ModerationLog($subjectId: ID, $user: UserRef, $moderator: UserRef, $action: ModerationAction, $after: String) {
  site {
    name
    publicModerationLog
  }
  moderationLog(
    first: 30
    after: $after
    subjectId: $subjectId
    user: $user
    moderator: $moderator
    action: $action
  ) {
    nodes {
      ...Act
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),oo=new R(`
    query Queue($state: ReportState, $category: CategoryRef, $after: String) {
  reportQueue(first: 20, after: $after, state: $state, category: $category) {
    nodes {
      ...Case
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment Copy on Evidence {
  cause
  takenAt
  revision
  title
  content
  isTruncated
  link
  tags
  login
  name
  avatarUrl
  author {
    ...Person
  }
}
fragment Present on ModerationSubject {
  __typename
  ... on Topic {
    id
    number
    topicState: state
    title
    content
    link
    tags {
      id
      name
    }
  }
  ... on Comment {
    id
    number
    commentState: state
    content
    topic {
      id
      number
      title
    }
  }
  ... on User {
    id
    login
    name
    bio
    website
    avatarUrl
  }
}
fragment Case on ReportCase {
  subjectId
  state
  reportCount
  throughReport
  firstReportedAt
  lastReportedAt
  isHeld
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  reasons {
    reason
    count
  }
  subject {
    ...Present
    ... on Topic {
      id
      contentHtml
    }
    ... on Comment {
      id
      contentHtml
    }
  }
  evidence {
    ...Copy
  }
  reports(first: 5) {
    nodes {
      number
      reason
      note
      createdAt
      reporter {
        ...Person
      }
    }
  }
  resolvedBy {
    ...Act
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),so=new R(`
    subscription ReportAdded($category: CategoryRef) {
  reportAdded(category: $category) {
    eventId
    kind
    subjectId
  }
}
    `),co=new R(`
    mutation Report($input: ReportInput!) {
  report(input: $input) {
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),lo=new R(`
    mutation ResolveReports($input: ResolveReportsInput!) {
  resolveReports(input: $input) {
    changed
    case {
      ...Case
    }
    act {
      ...Act
    }
    ...errors
  }
}
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment Copy on Evidence {
  cause
  takenAt
  revision
  title
  content
  isTruncated
  link
  tags
  login
  name
  avatarUrl
  author {
    ...Person
  }
}
fragment Present on ModerationSubject {
  __typename
  ... on Topic {
    id
    number
    topicState: state
    title
    content
    link
    tags {
      id
      name
    }
  }
  ... on Comment {
    id
    number
    commentState: state
    content
    topic {
      id
      number
      title
    }
  }
  ... on User {
    id
    login
    name
    bio
    website
    avatarUrl
  }
}
fragment Case on ReportCase {
  subjectId
  state
  reportCount
  throughReport
  firstReportedAt
  lastReportedAt
  isHeld
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  reasons {
    reason
    count
  }
  subject {
    ...Present
    ... on Topic {
      id
      contentHtml
    }
    ... on Comment {
      id
      contentHtml
    }
  }
  evidence {
    ...Copy
  }
  reports(first: 5) {
    nodes {
      number
      reason
      note
      createdAt
      reporter {
        ...Person
      }
    }
  }
  resolvedBy {
    ...Act
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),uo=new R(`
    mutation Moderate($input: ModerateInput!) {
  moderate(input: $input) {
    changed
    act {
      ...Act
    }
    subject {
      ... on Topic {
        ...TopicText
      }
      ... on Comment {
        ...CommentText
        topic {
          id
          commentCount
        }
      }
    }
    ...errors
  }
}
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment TopicText on Topic {
  ...TopicRow
  contentHtml
  editedAt
  deletedAt
  clickCount
  commentsEventId
  viewerCan
  viewerIsWatching
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`),fo=new R(`
    mutation Warn($input: WarnInput!) {
  warn(input: $input) {
    act {
      id
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),po=new R(`
    mutation Ban($input: BanInput!) {
  ban(input: $input) {
    changed
    user {
      id
      isBanned
    }
    act {
      ...Act
    }
    ...errors
  }
}
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),mo=new R(`
    mutation Unban($input: UnbanInput!) {
  unban(input: $input) {
    changed
    user {
      id
      isBanned
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),ho=new R(`
    mutation HidePosts($input: HidePostsInput!) {
  hidePosts(input: $input) {
    postCount
    hasMore
    act {
      ...Act
    }
    ...errors
  }
}
    fragment Act on ModerationAct {
  subjectId
  id
  action
  reason
  note
  createdAt
  place
  scope
  until
  fields
  addedTags
  removedTags
  revision
  reportCount
  fromRole
  role
  postCount
  since
  isModerator
  category {
    id
    name
  }
  before {
    ...State
  }
  after {
    ...State
  }
  fromCategory {
    id
    name
  }
  toCategory {
    id
    name
  }
  subject {
    __typename
    ... on Topic {
      id
      number
      title
    }
    ... on Comment {
      id
      number
      topic {
        id
        number
        title
      }
    }
    ... on User {
      id
      login
    }
    ... on Category {
      id
      name
    }
    ... on Tab {
      id
      name
    }
  }
  member {
    ...Person
  }
  moderator {
    ...Person
  }
  reversedBy {
    id
  }
}
fragment State on ActState {
  name
  description
  position
  categoryIds
  tabIds
  title
  link
  words
  domains
  sees
  groupIds
  posts
  replies
  rules {
    name
    value
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),go=new R(`
    mutation Revert($input: RevertActInput!) {
  revertAct(input: $input) {
    changed
    act {
      id
      reverses {
        id
        reversedBy {
          id
        }
      }
    }
    query {
      ...Lists
    }
    ...errors
  }
}
    fragment Lists on Query {
  tabs(first: 20) {
    nodes {
      id
      name
    }
  }
  categories(first: 100) {
    nodes {
      ...CategoryName
      description
      topicCount
      position
    }
  }
  groups(first: 100) {
    nodes {
      ...Group
    }
    totalCount
  }
}
fragment Group on Group {
  id
  name
  description
  memberCount
  viewerIsManager
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}`),_o=new R(`
    query History($id: ID!, $after: String) {
  node(id: $id) {
    id
    ... on Topic {
      number
      title
      revisions(first: 10, after: $after) {
        nodes {
          ...Version
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
    ... on Comment {
      number
      topic {
        id
        number
        title
      }
      revisions(first: 10, after: $after) {
        nodes {
          ...Version
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    fragment Version on Revision {
  number
  createdAt
  isRedacted
  title
  editor {
    ...Person
  }
  hunks {
    oldStart
    isTruncated
    lines {
      change
      text
    }
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),vo=new R(`
    query FirstText($id: ID!) {
  node(id: $id) {
    id
    ... on Topic {
      revisions(last: 1) {
        nodes {
          number
          content
        }
      }
    }
    ... on Comment {
      revisions(last: 1) {
        nodes {
          number
          content
        }
      }
    }
  }
}
    `),yo=new R(`
    mutation Redact($input: RedactRevisionInput!) {
  redactRevision(input: $input) {
    changed
    revision {
      ...Version
    }
    ...errors
  }
}
    fragment Version on Revision {
  number
  createdAt
  isRedacted
  title
  editor {
    ...Person
  }
  hunks {
    oldStart
    isTruncated
    lines {
      change
      text
    }
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}`),bo=new R(`
    query TopicPage($number: Int!, $orderBy: CommentOrder, $after: String) {
  site {
    uncategorised {
      ...Permits
    }
  }
  topic(by: {number: $number}) {
    ...TopicText
    category {
      id
      access {
        ...Permits
      }
    }
    comments(topLevelOnly: true, first: 20, after: $after, orderBy: $orderBy) {
      nodes {
        ...CommentText
        replies(first: 5, orderBy: $orderBy) {
          nodes {
            ...CommentText
            replies(first: 5, orderBy: $orderBy) {
              ...CommentPage
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment Permits on CategoryAccess {
  sees
  posts
  replies
  viewerCan
}
fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment CommentPage on CommentConnection {
  nodes {
    ...CommentText
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
fragment TopicText on Topic {
  ...TopicRow
  contentHtml
  editedAt
  deletedAt
  clickCount
  commentsEventId
  viewerCan
  viewerIsWatching
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`),xo=new R(`
    query ThreadAt($number: Int!, $around: Int!, $orderBy: CommentOrder) {
  topic(by: {number: $number}) {
    id
    thread(around: $around, first: 20, orderBy: $orderBy) {
      edges {
        cursor
        hasGapBefore
        node {
          ...CommentText
        }
      }
    }
  }
}
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),So=new R(`
    query Preview($content: String!) {
  preview(content: $content) {
    contentHtml
  }
}
    `),Co=new R(`
    query Replies($id: ID!, $orderBy: CommentOrder, $after: String) {
  node(id: $id) {
    id
    ... on Comment {
      replies(first: 5, after: $after, orderBy: $orderBy) {
        ...CommentPage
      }
    }
  }
}
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment CommentPage on CommentConnection {
  nodes {
    ...CommentText
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),wo=new R(`
    query Whole($id: ID!) {
  node(id: $id) {
    id
    ... on Topic {
      contentHtml
    }
    ... on Comment {
      contentHtml
    }
  }
}
    `),To=new R(`
    query Source($id: ID!) {
  node(id: $id) {
    id
    ... on Topic {
      content
    }
    ... on Comment {
      content
    }
  }
}
    `),Eo=new R(`
    subscription CommentsUpdated($topic: ID!, $after: String) {
  commentsUpdated(topic: {id: $topic}, after: $after) {
    eventId
    kind
    comment {
      ...CommentText
      topic {
        id
        commentCount
        lastActiveAt
      }
      parent {
        id
        replyCount
      }
    }
  }
}
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),Do=new R(`
    subscription TopicUpdated($topic: ID!) {
  topicUpdated(topic: {id: $topic}) {
    topicId
    topic {
      ...TopicText
    }
  }
}
    fragment TopicText on Topic {
  ...TopicRow
  contentHtml
  editedAt
  deletedAt
  clickCount
  commentsEventId
  viewerCan
  viewerIsWatching
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`),Oo=new R(`
    mutation Vote($input: VoteInput!) {
  vote(input: $input) {
    subject {
      id
      votes {
        ...Votes
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),ko=new R(`
    mutation Bookmark($input: BookmarkInput!) {
  bookmark(input: $input) {
    topic {
      id
      viewerHasBookmarked
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Ao=new R(`
    mutation Watch($input: WatchInput!) {
  watch(input: $input) {
    topic {
      id
      viewerIsWatching
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),jo=new R(`
    mutation MarkRead($input: MarkReadInput!) {
  markRead(input: $input) {
    target {
      id
      ... on Topic {
        viewerUnreadCommentCount
      }
      ... on Notification {
        isRead
      }
    }
    viewer {
      id
      unreadNotificationCount
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Mo=new R(`
    mutation Clicked($ids: [ID!]!) {
  recordClicks(input: {topicIds: $ids}) {
    topics {
      id
      clickCount
    }
  }
}
    `),No=new R(`
    mutation Reply($input: CreateCommentInput!) {
  createComment(input: $input) {
    comment {
      ...CommentText
      topic {
        id
        commentCount
        lastActiveAt
      }
      parent {
        id
        replyCount
      }
    }
    ...errors
  }
}
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),Po=new R(`
    mutation EditComment($input: UpdateCommentInput!) {
  updateComment(input: $input) {
    comment {
      ...CommentText
    }
    ...errors
  }
}
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),Fo=new R(`
    mutation DeleteComment($id: ID!) {
  deleteComment(input: {commentId: $id}) {
    comment {
      ...CommentText
      topic {
        id
        commentCount
      }
      parent {
        id
        replyCount
      }
    }
    ...errors
  }
}
    fragment CommentText on Comment {
  id
  number
  depth
  commentState: state
  contentHtml
  createdAt
  editedAt
  deletedAt
  replyCount
  viewerCan
  author {
    ...Person
  }
  votes {
    ...Votes
  }
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),Io=new R(`
    mutation Post($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      ...TopicRow
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`),Lo=new R(`
    mutation EditTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      ...TopicText
    }
    ...errors
  }
}
    fragment TopicText on Topic {
  ...TopicRow
  contentHtml
  editedAt
  deletedAt
  clickCount
  commentsEventId
  viewerCan
  viewerIsWatching
}
fragment errors on Payload {
  errors {
    message
    code
    path
  }
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`),Ro=new R(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(input: {topicId: $id}) {
    deletedTopicId
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),zo=new R(`
    mutation SetTags($input: TagTopicInput!) {
  tagTopic(input: $input) {
    topic {
      id
      tags {
        id
        name
      }
    }
    ...errors
  }
}
    fragment errors on Payload {
  errors {
    message
    code
    path
  }
}`),Bo=new R(`
    query Front($orderBy: TopicOrder, $period: Period, $kinds: [TopicKind!], $after: String, $more: Boolean! = false) {
  timeline: front(orderBy: $orderBy, period: $period, kinds: $kinds) {
    ...Rows
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),Vo=new R(`
    query Tab($name: String!, $orderBy: TopicOrder, $period: Period, $kinds: [TopicKind!], $after: String, $more: Boolean! = false) {
  tab(by: {name: $name}) {
    id
    name
    topicCount
    timeline(orderBy: $orderBy, period: $period, kinds: $kinds) {
      ...Rows
    }
    categories(first: 50) {
      nodes {
        ...CategoryName
      }
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),Ho=new R(`
    query Category($name: String!, $orderBy: TopicOrder, $period: Period, $kinds: [TopicKind!], $after: String, $more: Boolean! = false) {
  category(by: {name: $name}) {
    id
    name
    description
    topicCount
    followerCount
    viewerIsFollowing
    access {
      ...Permits
    }
    timeline(orderBy: $orderBy, period: $period, kinds: $kinds) {
      ...Rows
    }
  }
}
    fragment Permits on CategoryAccess {
  sees
  posts
  replies
  viewerCan
}
fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),Uo=new R(`
    query Tag($name: String!, $orderBy: TopicOrder, $period: Period, $kinds: [TopicKind!], $after: String, $more: Boolean! = false) {
  tag(name: $name) {
    id
    name
    topicCount
    followerCount
    viewerIsFollowing
    timeline(orderBy: $orderBy, period: $period, kinds: $kinds) {
      ...Rows
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),Wo=new R(`
    query DayRank($after: String, $more: Boolean! = false) {
  timeline: dayRank {
    ...Rows
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),z=new R(`
    query Home($kinds: [TopicKind!], $after: String, $more: Boolean! = false) {
  viewer {
    id
    home(kinds: $kinds) {
      ...Rows
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),B=new R(`
    query Bookmarks($after: String, $more: Boolean! = false) {
  viewer {
    id
    bookmarks {
      ...Rows
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),Go=new R(`
    query UserPage($login: String!, $after: String, $more: Boolean! = false) {
  user(by: {login: $login}) {
    ...Person
    bio
    website
    karma
    createdAt
    topicCount
    followerCount
    followingCount
    followsViewer
    viewerIsFollowing
    viewerIsBlocking
    viewerCan
    isBanned
    ban {
      scope
      until
      reason
      note
      createdAt
    }
    invitedBy {
      ...Person
    }
    profile {
      ...Rows
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),Ko=new R(`
    query UserComments($login: String!, $after: String) {
  user(by: {login: $login}) {
    id
    comments(first: 20, after: $after) {
      nodes {
        id
        number
        excerpt(length: 280)
        createdAt
        topic {
          id
          number
          title
        }
        votes {
          ...Votes
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}`),qo=new R(`
    query List($id: ID!, $after: String, $more: Boolean! = false) {
  node(id: $id) {
    id
    ... on UserList {
      name
      memberCount
      members(first: 50) {
        nodes {
          ...Person
        }
      }
      timeline {
        ...Rows
      }
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}
fragment Rows on Timeline {
  id
  kind
  order
  period
  eventId @skip(if: $more)
  topics(first: 20, after: $after) {
    asOf
    nodes {
      ...TopicRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),Jo=new R(`
    subscription TimelineUpdated($id: ID!, $after: String) {
  timelineUpdated(timelineId: $id, after: $after) {
    eventId
    kind
    topicId
    edge {
      node {
        ...TopicRow
      }
    }
  }
}
    fragment Person on User {
  id
  login
  name
  role
  isBot
  avatarUrl
}
fragment CategoryName on Category {
  id
  name
  access {
    sees
  }
}
fragment Votes on VoteSummary {
  subjectId
  up
  down
  net
  viewerVote
  isOpen
  closesAt
}
fragment TopicRow on Topic {
  id
  number
  kind
  state
  title
  link
  createdAt
  lastActiveAt
  commentCount
  viewerHasBookmarked
  viewerUnreadCommentCount
  excerpt(length: 280)
  author {
    ...Person
  }
  category {
    ...CategoryName
  }
  tags {
    id
    name
  }
  votes {
    ...Votes
  }
  lastComment {
    id
    number
    createdAt
    author {
      ...Person
    }
  }
}`),Yo=[[`year`,31536e3],[`month`,2592e3],[`week`,604800],[`day`,86400],[`hour`,3600],[`minute`,60]],Xo=new Intl.RelativeTimeFormat(`en`,{numeric:`always`,style:`short`}),Zo=new Intl.DateTimeFormat(`en`,{dateStyle:`long`,timeStyle:`short`}),Qo=new Intl.NumberFormat(`en`,{notation:`compact`,maximumFractionDigits:1});function $o(e){let t=(Date.now()-Date.parse(e))/1e3;for(let[e,n]of Yo)if(t>=n)return Xo.format(-Math.floor(t/n),e);return`just now`}var es=e=>Zo.format(new Date(e)),ts=e=>e==null?`–`:Qo.format(e),ns=e=>e<1e3?`${e} B`:`${(e/1e3).toFixed(1)} kB`,rs=(e,t,n=`${t}s`)=>`${e===null?`–`:e.toLocaleString(`en`)} ${e===1?t:n}`;function is(e){try{return new URL(e).hostname.replace(/^www\./,``)}catch{return e}}function as(){return Array.from(crypto.getRandomValues(new Uint8Array(16)),e=>e.toString(16).padStart(2,`0`)).join(``)}var os=(0,_.createContext)({}),ss=()=>(0,_.useContext)(os),V=()=>(0,_.useContext)(os).viewer?.user,H=e=>e!==void 0&&e.role!==`USER`,cs=()=>!!ss().groups?.nodes.some(e=>e.viewerIsManager);function ls(){let{viewer:e}=ss();return H(e?.user)||!!e?.moderates.length}var us=o((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.fragment`);function r(e,n,r){var i=null;if(r!==void 0&&(i=``+r),n.key!==void 0&&(i=``+n.key),`key`in n)for(var a in r={},n)a!==`key`&&(r[a]=n[a]);else r=n;return n=r.ref,{$$typeof:t,type:e,key:i,ref:n===void 0?null:n,props:r}}e.Fragment=n,e.jsx=r,e.jsxs=r})),U=o(((e,t)=>{t.exports=us()}))(),ds={up:`M12 5l7 8h-4.5v6h-5v-6H5z`,down:`M12 19l-7-8h4.5V5h5v6H19z`,reply:`M9 8V4L2 11l7 7v-4c5 0 9 1.500 12 6-.5-7-4-12-12-12z`,bell:`M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6zm-2 16a2 2 0 0 0 4 0z`,mark:`M6 3h12v18l-6-4.500-6 4.500z`,pen:`M4 20l1-5L16 4l4 4L9 19z`,talk:`M4 4h16v12H9l-5 4z`,home:`M3 11l9-8 9 8v10h-6v-6H9v6H3z`,fire:`M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-2 2-4 1-9z`,list:`M4 6h16v2H4zm0 5h16v2H4zm0 5h10v2H4z`,lock:`M6 11V8a6 6 0 0 1 12 0v3h1v10H5V11zm3 0h6V8a3 3 0 0 0-6 0z`,pulse:`M2 12h5l3-8 4 16 3-8h5`,theme:`M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18`},fs=[`pulse`,`theme`],ps=({name:e})=>(0,U.jsx)(`svg`,{className:fs.includes(e)?`icon line`:`icon`,viewBox:`0 0 24 24`,"aria-hidden":`true`,children:(0,U.jsx)(`path`,{d:ds[e]})}),ms=({at:e})=>(0,U.jsx)(`time`,{dateTime:e,title:es(e),children:$o(e)});function hs({user:e,large:t}){let n=t?`avatar large`:`avatar`;if(e.avatarUrl)return(0,U.jsx)(`img`,{className:n,src:e.avatarUrl,alt:``,referrerPolicy:`no-referrer`});let r=[...e.login].reduce((e,t)=>(e*31+t.codePointAt(0))%360,7),i=[...e.login][0].toUpperCase();return(0,U.jsx)(`span`,{className:n,"aria-hidden":`true`,style:{"--hue":r},children:i})}function gs({user:e,face:t}){return e.login===`ghost`?(0,U.jsx)(`span`,{className:`person gone`,children:`former member`}):(0,U.jsxs)(`a`,{className:`person`,href:L(`u`,e.login),title:e.name,children:[t&&(0,U.jsx)(hs,{user:e}),(0,U.jsx)(`bdi`,{children:e.login}),e.isBot&&(0,U.jsx)(`span`,{className:`role`,children:`bot`}),e.role!==`USER`&&(0,U.jsx)(`span`,{className:`role`,children:e.role===`ADMIN`?`admin`:`mod`})]})}var _s=e=>(0,U.jsx)(`a`,{...e,target:`_blank`,rel:`noreferrer nofollow ugc`}),vs={PUBLIC:``,MEMBERS:`Members only`,GROUPS:`Only for groups`};function ys({of:{access:{sees:e}}}){let t=vs[e];return t&&(0,U.jsxs)(U.Fragment,{children:[` `,(0,U.jsx)(`span`,{className:`lock`,role:`img`,"aria-label":t,title:t,children:(0,U.jsx)(ps,{name:`lock`})})]})}var bs=({of:e})=>(0,U.jsxs)(`a`,{className:`chip`,href:L(`c`,e.name),children:[(0,U.jsx)(`bdi`,{children:e.name}),(0,U.jsx)(ys,{of:e})]}),xs=({tags:e})=>e.map(({id:e,name:t})=>(0,U.jsx)(`a`,{className:`tag`,href:L(`tag`,t),children:(0,U.jsx)(`bdi`,{children:t})},e)),Ss=({html:e,className:t=``})=>(0,U.jsx)(`div`,{className:`prose ${t}`,dir:`auto`,dangerouslySetInnerHTML:{__html:e}});function Cs(e){(0,_.useEffect)(()=>{e&&(document.title=e)},[e])}function ws({title:e,mark:t,children:n,lead:r,actions:i}){return Cs(e),(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`header`,{className:`page`,children:[(0,U.jsxs)(`div`,{children:[(0,U.jsxs)(`h1`,{dir:`auto`,children:[e,t]}),r&&(0,U.jsx)(`div`,{className:`lead`,children:r})]}),i&&(0,U.jsx)(`div`,{className:`actions`,children:i})]}),n]})}var Ts=({rows:e=6})=>(0,U.jsx)(`div`,{className:`skeletons`,role:`status`,"aria-label":`Loading`,children:Array.from({length:e},(e,t)=>(0,U.jsxs)(`div`,{className:`skeleton`,children:[(0,U.jsx)(`i`,{}),(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`b`,{}),(0,U.jsx)(`span`,{})]})]},t))}),Es=({icon:e=`talk`,children:t})=>(0,U.jsxs)(`div`,{className:`empty`,children:[(0,U.jsx)(ps,{name:e}),(0,U.jsx)(`div`,{children:t})]}),Ds={posts:[`POST`,`post`],replies:[`COMMENT`,`reply`]},Os=(e,t)=>!e||e[t]===`EVERYBODY`||e.viewerCan.includes(Ds[t][0]),ks=({access:e,deed:t,where:n=`here`})=>!Os(e,t)&&(0,U.jsxs)(`p`,{className:`restricted`,children:[(0,U.jsx)(ps,{name:`lock`}),e?.[t]===`NOBODY`?`Nobody ${t}`:`Only moderators ${Ds[t][1]}`,` `,n,`.`]}),As=({error:e,retry:t})=>(0,U.jsxs)(`div`,{className:`empty trouble`,role:`alert`,children:[(0,U.jsx)(`p`,{children:e.networkError?`The server cannot be reached.`:e.message.replace(`[GraphQL] `,``)}),(0,U.jsx)(`button`,{onClick:t,children:`Try again`})]});function js({label:e,options:t,current:n}){return(0,U.jsx)(`nav`,{className:`choices`,"aria-label":e,children:t.map(({name:e,href:t,value:r})=>(0,U.jsx)(`a`,{href:t,"aria-current":r===n?`page`:void 0,children:(0,U.jsx)(`bdi`,{children:e})},r))})}var Ms={fields:{},form:``};function Ns(e){let[t,n]=(0,_.useState)({faults:Ms,busy:!1}),r=(0,_.useRef)(!1);async function i(t){if(t.preventDefault(),r.current)return;r.current=!0;let i=t.currentTarget,a=[...i.elements],o=a.map(({name:e})=>e),s={};for(let[e,t]of new FormData(i))s[e]=String(t);n({faults:Ms,busy:!0});let c=Ms;try{let t=a.filter(({type:e,validity:t})=>e===`number`&&!t.valid).map(({name:e,validationMessage:t})=>({code:`INVALID`,message:t,path:[`input`,e]}));c=Kr(t.length?t:await e(s)??[],o)}catch(e){c={fields:{},form:e.message}}r.current=!1,n({faults:c,busy:!1});let l=o.find(e=>c.fields[e]);l&&i.elements.namedItem(l)?.focus()}return{...t,submit:e=>void i(e)}}function Ps({state:e,children:t,action:n,...r}){return(0,U.jsxs)(`form`,{className:`form`,noValidate:!0,...r,onSubmit:e.submit,children:[t,(0,U.jsx)(`p`,{className:`fault`,role:`alert`,children:e.faults.form}),(0,U.jsx)(`div`,{className:`actions`,children:n})]})}var Fs=({cancel:e})=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`button`,{className:`primary`,children:`Save`}),(0,U.jsx)(`button`,{type:`button`,onClick:e,children:`Cancel`})]});function W({label:e,name:t,state:n,hint:r,lines:i,options:a,children:o,...s}){let c=(0,_.useId)(),l=n.faults.fields[t],u=a?Object.entries(a).map(([e,t])=>(0,U.jsx)(`option`,{value:e,children:t},e)):o,d={id:c,name:t,dir:`auto`,"aria-invalid":l?!0:void 0,"aria-describedby":`${c}-hint ${c}-fault`};return(0,U.jsxs)(`div`,{className:`field`,children:[(0,U.jsx)(`label`,{htmlFor:c,children:e}),u?(0,U.jsx)(`select`,{...d,defaultValue:s.defaultValue,children:u}):i?(0,U.jsx)(`textarea`,{...d,rows:i,defaultValue:s.defaultValue,placeholder:s.placeholder}):(0,U.jsx)(`input`,{...d,...s}),r&&(0,U.jsx)(`p`,{className:`hint`,id:`${c}-hint`,children:r}),(0,U.jsx)(`p`,{className:`fault`,id:`${c}-fault`,role:`alert`,children:l})]})}var Is=({label:e,...t})=>(0,U.jsxs)(`label`,{className:`check`,children:[(0,U.jsx)(`input`,{type:`checkbox`,...t}),e]}),Ls=Li([]),Rs=0;function G(e){let t=++Rs;Ls.set([...Ls.value,{id:t,text:e}].slice(-3)),setTimeout(()=>Ls.set(Ls.value.filter(e=>e.id!==t)),6e3)}var zs=()=>(0,U.jsx)(`div`,{className:`toasts`,role:`status`,"aria-live":`polite`,children:Ri(Ls).map(({id:e,text:t})=>(0,U.jsx)(`p`,{children:t},e))});function Bs(){let e=F(Da);async function t(){let{exportAccount:t}=await e({});t?.url?location.assign(t.url):t?.errors[0]&&G(t.errors[0].message)}return(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`h2`,{children:`Your data`}),(0,U.jsx)(`p`,{children:`All that this site keeps about you, as a ZIP file of JSON lines.`}),(0,U.jsx)(`button`,{onClick:()=>void t(),children:`Download my data`})]})}var Vs={USER:`member`,MODERATOR:`moderator`,ADMIN:`administrator`};function Hs(){let[e,t]=(0,_.useState)(),n=Ri(Vi);return(0,_.useEffect)(()=>{n&&fetch(`/demo.json`).then(e=>e.ok?e.json():void 0).then(t,()=>void 0)},[n]),e}var Us=!isSecureContext&&(0,U.jsx)(`p`,{className:`hint`,children:`Open this page over https, or you will not stay signed in.`});function Ws(){let e=aa(),t=/^\/(login|register)$/.test(e.pathname)?`/`:e.pathname+e.search;return ra(e.searchParams.get(`next`)??t)}function Gs(){let e=Ws();return t=>{Ki.set(t),na(e,`replace`)}}var Ks=`agora:asked`;function qs(e){let t=new URLSearchParams(e.hash.slice(1)).get(`token`);if(!t)return;let n=sessionStorage.getItem(Ks);sessionStorage.removeItem(Ks);let r=n!==null&&n===e.searchParams.get(`state`),i=new URL(e);return i.hash=``,i.searchParams.delete(`state`),na(i.href,`replace`),{token:t,wanted:r}}function Js({page:e}){let t=F(ha),n=aa(),r=Ws(),i=Gs(),[a,o]=(0,_.useState)(``);(0,_.useEffect)(()=>{let e=qs(n);if(e){if(!e.wanted)return o(`This tab did not ask for that link. Sign in again.`);t({},e.token).then(({startSession:e})=>{e?.viewer?i(e.viewer.user.id):o(e?.errors[0]?.message??``)},e=>o(e.message))}},[]);function s(){let t=as();sessionStorage.setItem(Ks,t);let n=new URL(`/login?${new URLSearchParams({next:r,state:t})}`,location.href),i=new URL(e);i.searchParams.set(`return`,n.href),location.assign(i)}return(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsxs)(`p`,{children:[`Members of `,(0,U.jsx)(`strong`,{children:is(e)}),` sign in there, and come back.`]}),(0,U.jsx)(`p`,{className:`fault`,role:`alert`,children:a}),(0,U.jsx)(`div`,{className:`actions`,children:(0,U.jsxs)(`button`,{className:`primary`,onClick:s,children:[`Continue to `,is(e)]})})]})}function Ys(){let e=F(ma),t=Gs(),n=Ws(),r=aa(),i=V(),{site:a}=ss(),o=Hs();(0,_.useEffect)(()=>{i&&!r.hash&&na(n,`replace`)},[i]);async function s(n,r){let{login:i}=await e({input:{identifier:n,password:r,cookie:!0}});return i?.viewer&&t(i.viewer.user.id),i?.errors}let c=Ns(({identifier:e=``,password:t=``})=>s(e,t));if(!a)return(0,U.jsx)(ws,{title:`Sign in`,children:(0,U.jsx)(Ts,{rows:2})});let{local:l,page:u,issuers:d}=a.signIn;return(0,U.jsxs)(ws,{title:`Sign in`,children:[Us,u&&(0,U.jsx)(Js,{page:u}),!l&&!u&&(0,U.jsxs)(Es,{children:[`Members sign in at `,d.map(is).join(` or `),`, and come here from there.`]}),l&&u&&(0,U.jsx)(`p`,{className:`hint`,children:`Or sign in here, with a password.`}),l&&o&&(0,U.jsxs)(`section`,{className:`demo`,"aria-labelledby":`demo`,children:[(0,U.jsx)(`h2`,{id:`demo`,children:`This is a demo. Look around as`}),(0,U.jsx)(`div`,{className:`actions`,children:o.accounts.map(({login:e,role:t})=>(0,U.jsxs)(`button`,{onClick:()=>void s(e,o.password).then(e=>e?.[0]&&G(e[0].message),e=>G(e.message)),children:[(0,U.jsx)(`bdi`,{children:e}),(0,U.jsx)(`small`,{children:Vs[t]})]},e))}),(0,U.jsxs)(`p`,{className:`hint`,children:[`All with the password `,(0,U.jsx)(`code`,{children:o.password})]})]}),l&&(0,U.jsxs)(Ps,{state:c,action:(0,U.jsx)(`button`,{className:`primary`,disabled:c.busy,children:`Sign in`}),children:[(0,U.jsx)(W,{label:`Login or e-mail`,name:`identifier`,state:c,autoComplete:`username`,autoCapitalize:`none`}),(0,U.jsx)(W,{label:`Password`,name:`password`,state:c,type:`password`,autoComplete:`current-password`})]}),l&&a.registration!==`CLOSED`&&(0,U.jsxs)(`p`,{className:`hint`,children:[`New here? `,(0,U.jsx)(`a`,{href:`/register${r.search}`,children:`Create an account`}),`.`]})]})}function Xs(){let e=F(ga),t=Gs(),[n]=(0,_.useState)(as),[r,i]=(0,_.useState)(``),{site:a}=ss(),o=a?.registration,s=aa().searchParams.get(`invitation`)??``,c=Ns(async({login:r=``,name:a=``,email:o=``,password:s=``,invitation:c,application:l})=>{let u={login:r,email:o,password:s,...a&&{name:a},...c&&{invitation:c},application:l},{register:d}=await e({input:{...u,idempotencyKey:n,cookie:!0}});d?.viewer&&t(d.viewer.user.id);let f=d?.errors.some(({code:e})=>e===`AWAITING_APPROVAL`);return f&&i(`A moderator will look at your account. You can sign in once it is approved.`),f?[]:d?.errors});if(!a?.signIn.local)return(0,U.jsx)(Ys,{});let l=o===`CLOSED`?`Nobody can register at present.`:r;return l?(0,U.jsx)(ws,{title:`Create an account`,children:(0,U.jsx)(Es,{children:l})}):(0,U.jsxs)(ws,{title:`Create an account`,children:[Us,o===`APPROVAL`&&(0,U.jsx)(`p`,{className:`hint`,children:`A moderator approves each new account before it can be used.`}),(0,U.jsxs)(Ps,{state:c,action:(0,U.jsx)(`button`,{className:`primary`,disabled:c.busy,children:`Create account`}),children:[(0,U.jsx)(W,{label:`Login`,name:`login`,state:c,autoComplete:`username`,hint:`2 to 32 letters and digits`}),(0,U.jsx)(W,{label:`Display name`,name:`name`,state:c,autoComplete:`name`,hint:`Optional`}),(0,U.jsx)(W,{label:`E-mail`,name:`email`,state:c,type:`email`,autoComplete:`email`,hint:`Never shown`}),(0,U.jsx)(W,{label:`Password`,name:`password`,state:c,type:`password`,autoComplete:`new-password`}),(o===`INVITE`||s)&&(0,U.jsx)(W,{label:`Invitation`,name:`invitation`,state:c,defaultValue:s}),o===`APPROVAL`&&!s&&(0,U.jsx)(W,{label:`Why would you like to join?`,name:`application`,state:c,lines:3})]}),(0,U.jsxs)(`p`,{className:`hint`,children:[`Already a member? `,(0,U.jsx)(`a`,{href:`/login`,children:`Sign in`}),`.`]})]})}function Zs({user:e}){let t=F(ka),n=Ns(async({name:e=``,bio:n=``,website:r=``,avatarUrl:i=``,isBot:a})=>{let{updateProfile:o}=await t({input:{name:e,bio:n,website:r,avatarUrl:i,isBot:a!==void 0}});return o?.viewer&&G(`Your profile has changed.`),o?.errors});return(0,U.jsxs)(Ps,{state:n,action:(0,U.jsx)(`button`,{disabled:n.busy,children:`Save profile`}),children:[(0,U.jsx)(W,{label:`Display name`,name:`name`,state:n,defaultValue:e.name}),(0,U.jsx)(W,{label:`About you`,name:`bio`,state:n,lines:4,defaultValue:e.bio}),(0,U.jsx)(W,{label:`Website`,name:`website`,state:n,type:`url`,defaultValue:e.website??``}),(0,U.jsx)(W,{label:`Picture`,name:`avatarUrl`,state:n,type:`url`,defaultValue:e.avatarUrl??``}),(0,U.jsx)(Is,{label:`A program posts with this account`,name:`isBot`,defaultChecked:e.isBot})]})}var Qs=[`USER`,`MODERATOR`,`ADMIN`];function $s({role:e}){let{data:t,refresh:n}=N(Aa,{},{requestPolicy:`cache-and-network`}),[r,i]=[F(ja),F(Ma)],a=Ns(async({uses:e,note:t=``})=>{let{createInvitation:i}=await r({input:{uses:Number(e),note:t}});return n(),i?.errors}),o=t?.site.registration,s=ss().site?.signIn.local;return!(t&&Qs.indexOf(e)>=Qs.indexOf(t.site.rules.invitationsBy))||!s||o===`OPEN`||o===`CLOSED`?null:(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`h2`,{children:`Invitations`}),t.viewer?.invitations.map(({id:e,code:t,note:r,usesLeft:a,expiresAt:o})=>t&&(0,U.jsxs)(`p`,{children:[(0,U.jsx)(`button`,{onClick:()=>void i({id:e}).then(n),children:`End`}),` `,(0,U.jsx)(`a`,{href:`/register?invitation=${t}`,children:t}),` `,r&&(0,U.jsx)(`q`,{dir:`auto`,children:r}),`: `,a,` left, until `,new Date(o).toLocaleDateString()]},e)),(0,U.jsxs)(Ps,{state:a,action:(0,U.jsx)(`button`,{disabled:a.busy,children:`Invite`}),children:[(0,U.jsx)(W,{label:`How many may use it`,name:`uses`,state:a,type:`number`,defaultValue:1}),(0,U.jsx)(W,{label:`Remark`,name:`note`,state:a,hint:`Nobody else sees it`})]})]})}var ec=[`READ`,`POST`,`VOTE`,`FOLLOW`,`PROFILE`,`MODERATE`,`ADMIN`,`IMPERSONATE`,`END_SESSIONS`,`EXPORT`,`ROOMS`];function tc(){let{data:e,refresh:t}=N(Ta,{},{requestPolicy:`cache-and-network`}),n=F(_a),[r,i]=[F(Ea),F(Oa)],a=Ns(async({name:e=``,...n})=>{let{createToken:i}=await r({input:{name:e,scopes:ec.filter(e=>e in n)}});return i?.token&&prompt(`Copy the token now. It is not shown again.`,i.token),t(),i?.errors}),o=e?.viewer;return o?(0,U.jsxs)(ws,{title:`Account`,lead:(0,U.jsxs)(`bdi`,{children:[`@`,o.user.login]}),children:[(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`h2`,{children:`Where you are signed in`}),(0,U.jsx)(`ul`,{className:`plain`,children:o.sessions.map(e=>(0,U.jsxs)(`li`,{children:[(0,U.jsx)(`span`,{className:`agent`,children:e.userAgent??`Unknown device`}),(0,U.jsxs)(`span`,{children:[`last seen `,(0,U.jsx)(ms,{at:e.lastSeenAt})]}),e.isCurrent?(0,U.jsx)(`span`,{className:`chip`,children:`this one`}):(0,U.jsx)(`button`,{onClick:()=>void n({id:e.id}).then(t),children:`End`})]},e.id))})]}),(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`h2`,{children:`Profile`}),(0,U.jsx)(Zs,{user:o.user})]}),(0,U.jsx)($s,{role:o.user.role}),(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`h2`,{children:`API tokens`}),o.tokens.map(({id:e,name:n,scopes:r,lastUsedAt:a})=>(0,U.jsxs)(`p`,{children:[(0,U.jsx)(`button`,{onClick:()=>void i({id:e}).then(t),children:`Revoke`}),` `,(0,U.jsx)(`bdi`,{children:n}),`: `,r.join(`, `),`; `,a?(0,U.jsxs)(U.Fragment,{children:[`used `,(0,U.jsx)(ms,{at:a})]}):`never used`]},e)),(0,U.jsxs)(Ps,{state:a,action:(0,U.jsx)(`button`,{disabled:a.busy,children:`Create token`}),children:[(0,U.jsx)(W,{label:`Name of the token`,name:`name`,state:a}),ec.map(e=>(0,U.jsx)(Is,{label:e,name:e},e))]})]}),(0,U.jsx)(Bs,{})]}):(0,U.jsx)(Ts,{rows:3})}function nc(){let e=Ri(Ki);return t=>{e?t().catch(e=>G(e.message)):na(`/login?next=${encodeURIComponent(location.pathname+location.search)}`)}}function rc({votes:e,of:t,can:n}){let r=Ri(Ki),i=F(Oo),a=nc(),o=t=>a(async()=>{let n=e.viewerVote===t?`NONE`:t,{vote:r}=await i({input:{subjectId:e.subjectId,direction:n}});r?.errors[0]&&G(r.errors[0].message)}),s=t=>e.isOpen?r&&n&&!n.includes(`VOTE`)&&e.viewerVote!==t?`You cannot vote here`:``:`Voting is over`,c=(n,r)=>(0,U.jsx)(`button`,{type:`button`,className:n.toLowerCase(),"aria-label":`${r}: ${t}`,title:s(n)||r,"aria-pressed":e.viewerVote===n,disabled:s(n)!==``,onClick:()=>o(n),children:(0,U.jsx)(ps,{name:n===`UP`?`up`:`down`})});return(0,U.jsxs)(`div`,{className:`vote`,"data-vote":e.viewerVote,children:[c(`UP`,`Vote up`),(0,U.jsxs)(`span`,{title:`${e.up} up, ${e.down} down`,children:[(0,U.jsx)(`span`,{className:`hidden`,children:`Votes: `}),ts(e.net).replace(`-`,`−`)]}),c(`DOWN`,`Vote down`)]})}function ic({target:e}){let t=F(va),n=nc(),r=!e.viewerIsFollowing;return(0,U.jsx)(`button`,{className:e.viewerIsFollowing?``:`primary`,"aria-pressed":e.viewerIsFollowing,title:rs(e.followerCount,`follower`),onClick:()=>n(async()=>{let{follow:n}=await t({input:{targetId:e.id,following:r}});n?.errors[0]&&G(n.errors[0].message)}),children:e.viewerIsFollowing?`Following`:`Follow`})}function ac({topic:e}){let t=F(ko),n=nc(),r=e.viewerHasBookmarked;return(0,U.jsx)(`button`,{className:`quiet`,"aria-pressed":r,"aria-label":`Bookmark: ${e.title}`,title:`Bookmark`,onClick:()=>n(()=>t({input:{topicId:e.id,bookmarked:!r}})),children:(0,U.jsx)(ps,{name:`mark`})})}function oc({topic:e}){let t=F(Ao),n=nc(),r=!e.viewerIsWatching;return(0,U.jsx)(`button`,{className:`quiet`,"aria-pressed":!r,title:`Be notified of each new comment`,onClick:()=>n(()=>t({input:{topicId:e.id,watching:r}})),children:r?`Watch`:`Watching`})}function sc({label:e,question:t,run:n,children:r}){let i=(0,_.useRef)(null),[a,o]=(0,_.useState)(!1);return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`button`,{className:`quiet`,onClick:()=>{o(!0),i.current?.showModal()},children:r}),(0,U.jsx)(`dialog`,{ref:i,onClose:()=>o(!1),"aria-label":t,children:a&&(0,U.jsxs)(`form`,{method:`dialog`,children:[(0,U.jsx)(`p`,{children:t}),(0,U.jsxs)(`div`,{className:`actions`,children:[(0,U.jsx)(`button`,{className:`danger`,onClick:()=>void n().catch(e=>G(e.message)),children:e}),(0,U.jsx)(`button`,{autoFocus:!0,children:`Cancel`})]})]})})]})}function cc({topic:e}){let{author:t,category:n,votes:r,link:i,lastComment:a}=e,o=e.viewerUnreadCommentCount??0;return(0,U.jsxs)(`article`,{className:`row`,"data-kind":e.kind,"aria-labelledby":e.id,children:[(0,U.jsx)(rc,{votes:r,of:e.title}),(0,U.jsxs)(`div`,{className:`what`,children:[(0,U.jsxs)(`h2`,{id:e.id,dir:`auto`,children:[(0,U.jsx)(`a`,{href:L(`t`,e.number),children:e.title}),i&&(0,U.jsx)(_s,{className:`host`,href:i,children:is(i)})]}),e.kind===`STATUS`&&e.excerpt!==e.title&&(0,U.jsx)(`p`,{className:`excerpt`,dir:`auto`,children:e.excerpt}),(0,U.jsxs)(`p`,{className:`meta`,children:[n&&(0,U.jsx)(bs,{of:n}),(0,U.jsx)(gs,{user:t,face:!0}),(0,U.jsx)(ms,{at:e.createdAt}),a&&(0,U.jsxs)(`a`,{className:`latest`,href:`${L(`t`,e.number)}#c${a.number}`,children:[(0,U.jsx)(ps,{name:`reply`}),(0,U.jsx)(`bdi`,{children:a.author.login}),` `,(0,U.jsx)(ms,{at:a.createdAt})]}),(0,U.jsx)(xs,{tags:e.tags})]})]}),(0,U.jsxs)(`div`,{className:`side`,children:[(0,U.jsxs)(`a`,{className:`talk`,href:L(`t`,e.number),"aria-label":rs(e.commentCount,`comment`),children:[(0,U.jsx)(ps,{name:`talk`}),ts(e.commentCount)]}),o>0&&(0,U.jsxs)(`span`,{className:`unread`,children:[o,` new`]}),(0,U.jsx)(ac,{topic:e})]})]})}var lc=[`ACTIVE`,`CREATED`,`HOT`,`TOP`,`CONTROVERSIAL`],uc={ACTIVE:`Active`,CREATED:`New`,HOT:`Hot`,TOP:`Top`,CONTROVERSIAL:`Disputed`},dc=[`DAY`,`WEEK`,`MONTH`,`YEAR`,`ALL`],fc={DAY:`Today`,WEEK:`Week`,MONTH:`Month`,YEAR:`Year`,ALL:`All time`},pc={"":`All`,DISCUSSION:`Discussions`,ARTICLE:`Links`,STATUS:`Statuses`};function mc(){let e=aa().searchParams.get(`kind`)??``;return{kinds:e&&e in pc?[e]:null}}function hc(){let e=mc(),t=aa().searchParams,n=lc.find(e=>e===t.get(`order`))??`ACTIVE`,r=dc.find(e=>e===t.get(`period`))??`WEEK`;return{...e,orderBy:{field:n},period:n===`TOP`?r:null}}function gc(){let e=aa(),t=Object.entries(pc).map(([t,n])=>({value:t,name:n,href:I(e,{kind:t})}));return(0,U.jsx)(js,{label:`Kind`,current:mc().kinds?.[0]??``,options:t})}function _c(){let e=aa(),{orderBy:t,period:n}=hc();return(0,U.jsxs)(`div`,{className:`orders`,children:[(0,U.jsx)(js,{label:`Order`,current:t.field,options:lc.map(t=>({value:t,name:uc[t],href:I(e,{order:t===`ACTIVE`?``:t,period:``})}))}),(0,U.jsx)(gc,{}),n&&(0,U.jsx)(js,{label:`Period`,current:n,options:dc.map(t=>({value:t,name:fc[t],href:I(e,{period:t})}))})]})}function vc(e,t){let[n,r]=(0,_.useState)({id:``,fresh:[],gone:[]}),[i,a]=(0,_.useState)({id:``,after:``}),o=e?.id??``;o&&i.id!==o&&(a({id:o,after:e?.eventId??null}),r({id:o,fresh:[],gone:[]}));let s=e?.order===`ACTIVE`||e?.order===`REPLIES_TODAY`;return $i(Jo,{id:o,after:i.after},!o||i.id!==o,({timelineUpdated:e})=>{let n=e.topicId;e.kind===`RESET`&&t(),n&&r(t=>{let r=t.fresh.filter(e=>e!==n),i=t.gone.filter(e=>e!==n);return e.kind===`REMOVED`&&i.push(n),(e.kind===`ADDED`||e.kind===`MOVED`&&s)&&r.push(n),{...t,fresh:r,gone:i}})}),{...n,clear:()=>r({id:o,fresh:[],gone:[]})}}function yc({timeline:e,fetching:t,error:n,refresh:r,more:i,empty:a}){let o=vc(e,r),s=(0,_.useRef)(null),[c,l]=(0,_.useState)(!1),u=c||t,d=e?.topics.pageInfo.hasNextPage?e.topics.pageInfo.endCursor:null;async function f(){d&&!u&&(l(!0),await i(d).finally(()=>l(!1)))}let p=(0,_.useRef)(f);p.current=f;let m=(0,_.useRef)(!1);if((0,_.useEffect)(()=>{m.current=!1},[d]),(0,_.useEffect)(()=>{if(!s.current||u||m.current)return;let e=new IntersectionObserver(([e])=>{e?.isIntersecting&&(m.current=!0,p.current())},{rootMargin:`600px`});return e.observe(s.current),()=>e.disconnect()},[d,u]),n&&!e)return(0,U.jsx)(As,{error:n,retry:r});if(!e)return t?(0,U.jsx)(Ts,{}):(0,U.jsx)(Es,{children:`There is nothing here.`});let h=e.topics.nodes.filter(e=>e.state===`OPEN`&&!o.gone.includes(e.id)),g=h[0]?.id,v=o.fresh.filter(e=>e!==g||o.fresh.length>1);return(0,U.jsxs)(`div`,{className:`timeline`,"aria-busy":t,children:[(0,U.jsx)(`div`,{className:`news`,role:`status`,children:v.length>0&&(0,U.jsxs)(`button`,{onClick:()=>{o.clear(),r(),scrollTo({top:0,behavior:`smooth`})},children:[v.length,` new`]})}),h.length===0&&!d&&(a??(0,U.jsx)(Es,{children:`Nothing has been posted here yet.`})),(0,U.jsx)(`div`,{className:`rows`,children:h.map(e=>(0,U.jsx)(cc,{topic:e},e.id))}),d?(0,U.jsx)(`button`,{ref:s,className:`more`,onClick:()=>void f(),children:u?`Loading …`:`More`}):h.length>10&&(0,U.jsx)(`p`,{className:`end`,children:`That is all.`})]})}var bc=!0;function xc({what:e,result:t}){return t.error?(0,U.jsx)(As,{error:t.error,retry:t.refresh}):t.fetching?(0,U.jsx)(Ts,{}):(0,U.jsxs)(Es,{children:[`There is no such `,e,`.`]})}function Sc({title:e,mark:t,lead:n,actions:r,ordered:i,...a}){return(0,U.jsxs)(ws,{title:e,mark:t,lead:n,actions:r,children:[i&&(0,U.jsx)(_c,{}),(0,U.jsx)(yc,{...a})]})}function Cc(){let e=hc(),t=P(),{site:n}=ss(),r=N(Bo,e);return(0,U.jsx)(Sc,{ordered:!0,title:n?.name??`Agora`,lead:`All topics, of every kind`,...r,timeline:r.data?.timeline,more:n=>t(Bo,{...e,after:n,more:bc})})}function wc({name:e}){let t={...hc(),name:e},n=P(),r=N(Vo,t),i=r.data?.tab;if(!i)return(0,U.jsx)(xc,{what:`tab`,result:r});let a=i.categories.nodes.map(e=>(0,U.jsx)(bs,{of:e},e.id));return(0,U.jsx)(Sc,{ordered:!0,title:i.name,lead:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`span`,{children:[rs(i.topicCount,`topic`),` in`]}),` `,a]}),...r,timeline:i.timeline,more:e=>n(Vo,{...t,after:e,more:bc})})}function Tc({name:e}){let t={...hc(),name:e},n=P(),r=N(Ho,t),i=r.data?.category;if(!i)return(0,U.jsx)(xc,{what:`category`,result:r});let a=(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`span`,{dir:`auto`,children:i.description}),` `,(0,U.jsx)(`span`,{children:rs(i.topicCount,`topic`)}),(0,U.jsx)(ks,{access:i.access,deed:`posts`})]}),o=(0,U.jsxs)(U.Fragment,{children:[Os(i.access,`posts`)&&(0,U.jsx)(`a`,{className:`button`,href:`/new?category=${encodeURIComponent(i.name)}`,children:`Post here`}),(0,U.jsx)(ic,{target:i})]});return(0,U.jsx)(Sc,{ordered:!0,title:i.name,mark:(0,U.jsx)(ys,{of:i}),lead:a,actions:o,...r,timeline:i.timeline,more:e=>n(Ho,{...t,after:e,more:bc})})}function Ec({name:e}){let t={...hc(),name:e},n=P(),r=N(Uo,t),i=r.data?.tag;return i?(0,U.jsx)(Sc,{ordered:!0,title:`#${i.name}`,lead:rs(i.topicCount,`topic`),actions:(0,U.jsx)(ic,{target:i}),...r,timeline:i.timeline,more:e=>n(Uo,{...t,after:e,more:bc})}):(0,U.jsx)(xc,{what:`tag`,result:r})}function Dc(){let e=P(),t=N(Wo,{});return(0,U.jsx)(Sc,{title:`Most replied today`,lead:`The topics with the most comments since midnight`,...t,timeline:t.data?.timeline,more:t=>e(Wo,{after:t,more:bc})})}function Oc(){let e=P(),t=mc(),n=N(z,t);return(0,U.jsx)(Sc,{title:`Home`,lead:`From everyone and everything you follow`,actions:(0,U.jsx)(gc,{}),...n,timeline:n.data?.viewer?.home,more:n=>e(z,{...t,after:n,more:bc}),empty:(0,U.jsx)(Es,{icon:`home`,children:`Follow people, categories or tags, and what they post appears here.`})})}function kc(){let e=P(),t=N(B,{});return(0,U.jsx)(Sc,{title:`Bookmarks`,lead:`Only you see them`,...t,timeline:t.data?.viewer?.bookmarks,more:t=>e(B,{after:t,more:bc}),empty:(0,U.jsx)(Es,{icon:`mark`,children:`You have no bookmarks yet.`})})}function Ac(){let{data:e,refresh:t}=N(ba,{}),n=F(xa),r=Ns(async({name:e=``})=>{let{createList:r}=await n({name:e});return r?.list&&t(),r?.errors}),i=e?.viewer?.lists.nodes;return i?(0,U.jsxs)(ws,{title:`Lists`,lead:`Private selections of members, each with a timeline of its own`,children:[i.length===0&&(0,U.jsx)(Es,{icon:`list`,children:`You have no lists yet.`}),(0,U.jsx)(`ul`,{className:`plain`,children:i.map(e=>(0,U.jsxs)(`li`,{children:[(0,U.jsx)(`a`,{href:L(`lists`,e.id),dir:`auto`,children:e.name}),(0,U.jsx)(`span`,{children:rs(e.memberCount,`member`)})]},e.id))}),(0,U.jsx)(Ps,{state:r,className:`form line`,action:(0,U.jsx)(`button`,{children:`Create`}),children:(0,U.jsx)(W,{label:`New list`,name:`name`,state:r})},i.length)]}):(0,U.jsx)(Ts,{rows:3})}function jc({id:e}){let t=P(),n=N(qo,{id:e}),r=F(Ca),i=F(Sa),a=n.data?.node&&`members`in n.data.node?n.data.node:void 0;async function o(t){let{updateListMembers:i}=await r({input:{listId:e,...t}});return n.refresh(),i?.errors}let s=Ns(async({login:e=``})=>{let n=await t(wa,{login:e.replace(/^@/,``)});return n?.user?(await o({add:[n.user.id]}))?.map(e=>({...e,path:[`input`,`login`]})):[{code:`NOT_FOUND`,message:`There is no such member.`,path:[`input`,`login`]}]});if(!a)return(0,U.jsx)(xc,{what:`list`,result:n});let c=(0,U.jsx)(sc,{label:`Delete`,question:`Delete this list? Its members are not affected.`,run:async()=>{let{deleteList:t}=await i({id:e});t?.errors[0]?G(t.errors[0].message):na(`/lists`,`replace`)},children:`Delete`});return(0,U.jsxs)(ws,{title:a.name,lead:rs(a.memberCount,`member`),actions:c,children:[(0,U.jsx)(`ul`,{className:`members`,children:a.members.nodes.map(e=>(0,U.jsxs)(`li`,{children:[(0,U.jsx)(gs,{user:e,face:!0}),(0,U.jsxs)(`button`,{className:`quiet`,onClick:()=>void o({remove:[e.id]}),children:[(0,U.jsxs)(`span`,{className:`hidden`,children:[`Remove `,e.login]}),`×`]})]},e.id))}),(0,U.jsx)(Ps,{state:s,className:`form line`,action:(0,U.jsx)(`button`,{children:`Add`}),children:(0,U.jsx)(W,{label:`Add a member`,name:`login`,state:s,placeholder:`login`})},a.memberCount),(0,U.jsx)(yc,{...n,timeline:a.timeline,more:n=>t(qo,{id:e,after:n,more:!0})})]})}var Mc={SPAM:`Spam`,ABUSE:`Abuse`,OFF_TOPIC:`Off topic`,DUPLICATE:`Duplicate`,EXPLICIT:`Explicit content`,ILLEGAL:`Illegal`,PRIVACY:`Private data`,OTHER:`Other`},Nc={LOCK:`locked`,UNLOCK:`unlocked`,HIDE:`hid`,RESTORE:`restored`,APPROVE:`approved`,PIN:`pinned`,UNPIN:`unpinned`,MOVE:`moved`,EDIT:`edited`,TAG:`tagged`,REDACT:`redacted a revision of`,UNREDACT:`showed a revision of`,UPHOLD:`upheld reports on`,DISMISS:`dismissed reports on`,WARN:`warned`,BAN:`banned`,UNBAN:`unbanned`,SET_ROLE:`changed the role of`,SET_MODERATOR:`changed the categories of`,HIDE_POSTS:`hid the posts of`,RESTORE_POSTS:`restored the posts of`,APPROVE_ACCOUNT:`approved the account of`,REJECT_ACCOUNT:`rejected an account:`,CREATE_CATEGORY:`created a category:`,UPDATE_CATEGORY:`changed the category`,DELETE_CATEGORY:`deleted the category`,CREATE_TAB:`created a tab:`,UPDATE_TAB:`changed the tab`,DELETE_TAB:`deleted the tab`,UPDATE_ACCESS:`changed the access to`,UPDATE_RULES:`changed the rules of`,UPDATE_BLOCKLIST:`changed the blocklist of`},Pc={OPEN:`Everybody`,INVITE:`Whoever is invited`,APPROVAL:`Everybody, once a moderator approves`,CLOSED:`Nobody`},Fc={REPORT:`reported`,HIDE:`hidden`,LOCK:`locked`,WARN:`warned about`,EDIT:`before an edit`,DELETE:`before it was deleted`};function Ic(e,t){return e===`registration`?Object.values(Pc)[t]??``:e===`access`?Object.values(Lc)[t]??``:e===`memberList`?Object.values(Vc)[t]??``:e===`invitationsBy`?Hc[[`MODERATOR`,`USER`,`ADMIN`][t]??`ADMIN`]:t<0?``:String(t)}var Lc={EVERYBODY:`Everybody`,MEMBERS:`Members`},Rc={PUBLIC:`Everybody`,MEMBERS:`Members`,GROUPS:`Groups`},zc={EVERYBODY:`Everybody`,MODERATORS:`Moderators`,NOBODY:`Nobody`},Bc=`topics without a category`,Vc={EVERYBODY:`Everybody`,MEMBERS:`Members`,MODERATORS:`Moderators`},Hc={USER:`Member`,MODERATOR:`Moderator`,ADMIN:`Administrator`};function Uc({subject:e}){switch(e?.__typename){case`Topic`:return{name:e.title||`a deleted topic`,href:L(`t`,e.number)};case`Comment`:{let{topic:t,number:n}=e;return{name:`comment ${n} on ${t.title}`,href:`${L(`t`,t.number)}#c${n}`}}case`User`:return{name:e.login,href:L(`u`,e.login)};case`Category`:return{name:e.name,href:L(`c`,e.name)};case`Tab`:return{name:e.name,href:L(`tab`,e.name)};default:return}}var Wc=({scope:e,until:t})=>`${e===`POST`?`from posting`:`from signing in`} ${t?`until ${new Date(t).toLocaleString()}`:`for good`}`;function Gc(e){let{action:t}=e;switch(t){case`MOVE`:return`from ${e.fromCategory?.name??`no category`} to ${e.toCategory?.name??`no category`}`;case`EDIT`:return e.fields.join(`, `);case`TAG`:return[...e.addedTags.map(e=>`+${e}`),...e.removedTags.map(e=>`−${e}`)].join(` `);case`BAN`:return Wc(e);case`SET_MODERATOR`:return`${e.isModerator?`now`:`no longer`} of ${e.category?.name??`a deleted category`}`;case`SET_ROLE`:return`from ${e.fromRole?.toLowerCase()} to ${e.role?.toLowerCase()}`;case`PIN`:case`UNPIN`:return e.place===`FRONT`?`on the front page`:`in its category`;case`REDACT`:case`UNREDACT`:return`revision ${e.revision}`;case`HIDE_POSTS`:case`RESTORE_POSTS`:return`${e.postCount} in all${e.since?`, since ${new Date(e.since).toLocaleString()}`:``}`;case`UPHOLD`:case`DISMISS`:return`${e.reportCount} in all`;default:return``}}var Kc={REPLY:`replied to you`,MENTION:`mentioned you`,COMMENT:`commented on your topic`,FOLLOW:`follows you`,WATCH:`commented on a topic that you watch`,MODERATION:`moderated what you posted`,WARNING:`warned you`,BAN:`banned you`,REPORT:`looked at what you reported`},qc=e=>`${Mc[e.reason]}${e.note?`: ${e.note}`:``} (${Nc[e.action]})`;function Jc({subject:e}){switch(e?.__typename){case`Comment`:{let{topic:t,number:n,excerpt:r}=e;return{href:`${L(`t`,t.number)}#c${n}`,title:t.title,text:r}}case`Topic`:return{href:L(`t`,e.number),title:e.title};case`User`:return{href:L(`u`,e.login),title:`See the profile`};default:return}}function Yc({notice:e,read:t}){let n=Jc(e);return(0,U.jsxs)(`li`,{className:e.isRead?`notice-row`:`notice-row fresh`,children:[(0,U.jsx)(hs,{user:e.actor}),(0,U.jsxs)(`div`,{className:`what`,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[e.act?(0,U.jsx)(`span`,{children:`A moderator`}):(0,U.jsx)(gs,{user:e.actor}),(0,U.jsx)(`span`,{children:Kc[e.reason]}),(0,U.jsx)(ms,{at:e.createdAt})]}),n?(0,U.jsx)(`h2`,{dir:`auto`,children:(0,U.jsx)(`a`,{href:n.href,onClick:t,children:n.title})}):(0,U.jsx)(`p`,{className:`hint`,children:`It is no longer there.`}),e.act&&(0,U.jsx)(`p`,{className:`excerpt`,dir:`auto`,children:qc(e.act)}),n?.text&&(0,U.jsx)(`p`,{className:`excerpt`,dir:`auto`,children:n.text})]}),!e.isRead&&(0,U.jsx)(`button`,{className:`quiet`,onClick:t,children:`Mark as read`})]})}function Xc(){let e=P(),t=F(jo),{data:n,error:r,refresh:i}=N(fa,{},{requestPolicy:`cache-and-network`}),a=n?.viewer?.notifications;if(!a)return r?(0,U.jsx)(As,{error:r,retry:i}):(0,U.jsx)(Ts,{});let o=e=>t({input:e}).then(()=>`allNotifications`in e?i():void 0,e=>G(e.message)),s=a.pageInfo.hasNextPage?a.pageInfo.endCursor:null,c=a.nodes.every(e=>e.isRead);return(0,U.jsxs)(ws,{title:`Notifications`,actions:(0,U.jsx)(`button`,{disabled:c,onClick:()=>void o({allNotifications:!0}),children:`Mark all as read`}),children:[a.nodes.length===0&&(0,U.jsx)(Es,{icon:`bell`,children:`Nothing yet. Replies, mentions and followers appear here.`}),(0,U.jsx)(`ul`,{className:`rows notices`,children:a.nodes.map(e=>(0,U.jsx)(Yc,{notice:e,read:()=>void o({notificationId:e.id})},e.id))}),s&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void e(fa,{after:s}),children:`More`})]})}var Zc=[{name:`Discussion`,value:`DISCUSSION`},{name:`Link`,value:`ARTICLE`},{name:`Status`,value:`STATUS`}];function Qc(){let e=aa(),{categories:t}=ss(),{data:n}=N(ca,{},{requestPolicy:`cache-and-network`}),r=n?.categories?.nodes.filter(({access:e})=>!Os(e,`posts`)).map(({id:e})=>e)??[],i=n?.site.uncategorised,a=Os(i,`posts`),o=Zc.filter(({value:e})=>a||e!==`STATUS`),s=o.find(({value:t})=>t===e.searchParams.get(`kind`))?.value??`DISCUSSION`,c=F(Io),[l]=(0,_.useState)(as),u=Ns(async({title:e=``,link:t=``,category:n=``,content:r=``,tags:i=``})=>{let a={kind:s,content:r,idempotencyKey:l,tags:i.split(`,`).map(e=>e.trim()).filter(Boolean),...s!==`STATUS`&&{title:e},...t&&{link:t},...n&&{category:{name:n}}},{createTopic:o}=await c({input:a});return o?.topic&&na(L(`t`,o.topic.number),`replace`),o?.errors});return(0,U.jsxs)(ws,{title:`New post`,lead:(0,U.jsx)(ks,{access:i,deed:`posts`,where:`without a category`}),children:[(0,U.jsx)(js,{label:`Kind`,current:s,options:o.map(({name:t,value:n})=>({name:t,value:n,href:I(e,{kind:n})}))}),(0,U.jsxs)(Ps,{state:u,action:(0,U.jsx)(`button`,{className:`primary`,disabled:u.busy,children:`Post`}),children:[s!==`STATUS`&&(0,U.jsx)(W,{label:`Title`,name:`title`,state:u,maxLength:300}),s===`ARTICLE`&&(0,U.jsx)(W,{label:`Link`,name:`link`,state:u,type:`url`,placeholder:`https://`}),s!==`STATUS`&&(0,U.jsxs)(W,{label:`Category`,name:`category`,state:u,defaultValue:e.searchParams.get(`category`)??``,hint:r.length>0?`You cannot post in those that are greyed out`:``,children:[(0,U.jsx)(`option`,{value:``,children:s===`ARTICLE`&&a?`None`:`Choose one`}),t?.nodes.map(e=>(0,U.jsx)(`option`,{disabled:r.includes(e.id),children:e.name},e.id))]}),(0,U.jsx)(W,{label:s===`STATUS`?`What is new?`:`Text`,name:`content`,state:u,hint:`Markdown`,lines:s===`STATUS`?4:10}),(0,U.jsx)(W,{label:`Tags`,name:`tags`,state:u,hint:`Up to 10, separated by commas`})]},s)]})}function $c({label:e,title:t,children:n}){let r=(0,_.useRef)(null),[i,a]=(0,_.useState)(!1),o=nc(),s=async()=>{a(!0),r.current?.showModal()};return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`button`,{className:`quiet`,onClick:()=>o(s),children:e}),(0,U.jsx)(`dialog`,{ref:r,onClose:()=>a(!1),"aria-label":t,children:i&&(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`h2`,{children:t}),n(()=>r.current?.close())]})})]})}function el({send:e,action:t,close:n,done:r,reason:i,children:a}){let o=Ns(async t=>{let i=await e(t);return i?.errors.length||(n(),i?.changed===!1?G(`Another moderator was faster: see the log.`):r&&G(r)),i?.errors}),s=(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`button`,{className:`primary`,disabled:o.busy,children:t}),(0,U.jsx)(`button`,{type:`button`,onClick:n,children:`Cancel`})]});return(0,U.jsxs)(Ps,{state:o,action:s,children:[a?.(o),(0,U.jsx)(W,{label:`Reason`,name:`reason`,state:o,defaultValue:i,options:Mc}),(0,U.jsx)(W,{label:`Note`,name:`note`,state:o,lines:3})]})}var tl=({label:e,title:t,...n})=>(0,U.jsx)($c,{label:e,title:t,children:e=>(0,U.jsx)(el,{...n,close:e})}),nl={Topic:{HIDE:`Hide`,RESTORE:`Restore or approve`,LOCK:`Lock`,UNLOCK:`Unlock`,PIN:`Pin in its category`,UNPIN:`Unpin in its category`},Comment:{HIDE:`Hide`,RESTORE:`Restore or approve`,LOCK:`Lock`,UNLOCK:`Unlock`}};function rl({id:e,type:t,done:n}){let r=F(uo);return(0,U.jsx)(tl,{label:`Moderate`,title:`Moderate this ${t.toLowerCase()}`,action:`Act`,send:async({action:t,reason:i,note:a})=>{let{moderate:o}=await r({input:{subjectId:e,action:t,reason:i,note:a}});return o?.errors.length||n?.(),o},children:e=>(0,U.jsx)(W,{label:`Action`,name:`action`,state:e,options:nl[t]})})}function il({id:e}){let t=F(co);return(0,U.jsx)(tl,{label:`Report`,title:`Report this to the moderators`,action:`Report`,done:`Thank you. The moderators will look at it.`,send:async({reason:n,note:r})=>(await t({input:{subjectId:e,reason:n,note:r}})).report})}var al=864e5,ol={1:`a day`,7:`a week`,30:`30 days`,0:`for good`},sl={0:`all`,1:`those of the last day`,7:`those of the last week`};function cl({user:e}){let t=F(ho);return(0,U.jsx)(tl,{label:`Hide posts`,title:`Hide the posts of ${e.login}`,action:`Hide`,send:async({reason:n,note:r,age:i})=>{let a=Number(i)?new Date(Date.now()-Number(i)*al).toISOString():null,{hidePosts:o}=await t({input:{userId:e.id,since:a,reason:n,note:r}});if(o&&!o.errors.length){let e=o.hasMore?` There are more: hide them, too.`:``;G(`${rs(o.postCount,`post`)} will be hidden within seconds.${e}`)}return o},children:e=>(0,U.jsx)(W,{label:`Posts`,name:`age`,state:e,options:sl})})}function ll({user:e}){let t=F(fo),n=F(po),r=F(mo),i=e.id;return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(tl,{label:`Warn`,title:`Warn ${e.login}`,action:`Warn`,done:`${e.login} was warned.`,send:async({reason:e,note:n})=>(await t({input:{userId:i,reason:e,note:n}})).warn}),(0,U.jsx)(cl,{user:e}),e.isBanned?(0,U.jsx)(tl,{label:`Unban`,title:`End the ban of ${e.login}`,action:`Unban`,send:async({reason:e,note:t})=>(await r({input:{userId:i,reason:e,note:t}})).unban}):(0,U.jsx)(tl,{label:`Ban`,title:`Ban ${e.login}`,action:`Ban`,send:async({reason:e,note:t,scope:r,days:a})=>(await n({input:{userId:i,reason:e,note:t,scope:r===`POST`?`POST`:`SIGN_IN`,until:Number(a)?new Date(Date.now()+Number(a)*al).toISOString():null}})).ban,children:e=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(W,{label:`From`,name:`scope`,state:e,children:[(0,U.jsx)(`option`,{value:`POST`,children:`posting`}),(0,U.jsx)(`option`,{value:`SIGN_IN`,children:`signing in`})]}),(0,U.jsx)(W,{label:`For`,name:`days`,state:e,options:ol})]})})]})}function ul({label:e,start:t=``,action:n,send:r,cancel:i}){let[a,o]=(0,_.useState)(0),[s,c]=(0,_.useState)(),l=P();async function u(e){let t=String(new FormData(e??void 0).get(`content`));c((await l(So,{content:t}))?.preview?.contentHtml)}let d=Ns(async({content:e=``})=>{let t=await r(e);return t?.length||(o(a+1),c(void 0)),t});return(0,U.jsxs)(Ps,{state:d,className:`form composer`,onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&e.currentTarget.requestSubmit(),e.key===`Escape`&&i?.()},action:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`button`,{className:`primary`,disabled:d.busy,children:n}),(0,U.jsx)(`button`,{type:`button`,onClick:e=>void u(e.currentTarget.form),children:`Preview`}),i&&(0,U.jsx)(`button`,{type:`button`,onClick:i,children:`Cancel`}),(0,U.jsx)(`span`,{className:`hint`,children:`Markdown. Ctrl+Enter sends.`})]}),children:[(0,U.jsx)(W,{label:e,name:`content`,state:d,lines:t.length>300?12:5,defaultValue:t}),s!==void 0&&(0,U.jsx)(`section`,{className:`preview`,"aria-label":`Preview`,children:(0,U.jsx)(Ss,{html:s})})]},a)}function dl({topic:e,parent:t,label:n,done:r}){let i=F(No),[a,o]=(0,_.useState)(as);return(0,U.jsx)(ul,{label:n,action:`Reply`,...r&&{cancel:r},send:async n=>{let s={topicId:e,content:n,idempotencyKey:a,...t&&{parentId:t}},{createComment:c}=await i({input:s});return c?.comment&&(o(as()),r?.()),c?.errors}})}function fl({of:e}){let t=P(),[n,r]=(0,_.useState)(null),i=e.contentHtml??n;async function a(){let n=(await t(wo,{id:e.id}))?.node;n&&`contentHtml`in n&&r(n.contentHtml)}return i===null?(0,U.jsx)(`button`,{className:`link`,onClick:()=>void a(),children:`Show this long text`}):(0,U.jsx)(Ss,{html:i})}function pl(e){let t=P(),[n,r]=(0,_.useState)(null);async function i(){let n=(await t(To,{id:e}))?.node;n&&`content`in n&&n.content!==null?r(n.content):G(`This cannot be edited any more.`)}return{source:n,edit:()=>void i(),done:()=>r(null)}}function ml({comment:e,thread:t}){let[n,r]=(0,_.useState)(e.depth<2),i=P(),a={id:e.id,orderBy:t.order},{data:o,fetching:s}=N(Co,a,{pause:!n||e.replyCount===0}),c=o?.node,l=n&&c&&`replies`in c?c.replies:void 0;if(e.replyCount===0&&!l?.nodes.length)return null;let u=l?.pageInfo.endCursor,d=e.replyCount-(l?.nodes.filter(e=>!e.deletedAt).length??0);return(0,U.jsxs)(`div`,{className:`replies`,children:[l&&(0,U.jsx)(vl,{comments:l.nodes,thread:t}),!n&&(0,U.jsx)(`button`,{className:`link`,onClick:()=>r(!0),children:rs(e.replyCount,`reply`,`replies`)}),n&&s&&!l&&(0,U.jsx)(`p`,{className:`hint`,role:`status`,children:`Loading …`}),l?.pageInfo.hasNextPage&&u&&(0,U.jsx)(`button`,{className:`link`,onClick:()=>void i(Co,{...a,after:u}),children:d>0?`${rs(d,`more reply`,`more replies`)}`:`More replies`})]})}function hl({comment:e,thread:t,edit:n,reply:r}){let i=V(),a=nc(),o=F(Fo),{viewerCan:s}=e;return(0,U.jsxs)(`div`,{className:`tools`,children:[(0,U.jsx)(rc,{votes:e.votes,of:`comment ${e.number}`,can:s}),(i?s.includes(`COMMENT`):t.open)&&(0,U.jsx)(`button`,{className:`quiet`,onClick:()=>a(async()=>r()),children:`Reply`}),s.includes(`EDIT`)&&(0,U.jsx)(`button`,{className:`quiet`,onClick:n,children:`Edit`}),s.includes(`DELETE`)&&(0,U.jsx)(sc,{label:`Delete`,question:`Delete this comment? Its replies stay.`,run:async()=>{let{deleteComment:t}=await o({id:e.id});t?.errors[0]&&G(t.errors[0].message)},children:`Delete`}),s.includes(`MODERATE`)&&(0,U.jsx)(rl,{id:e.id,type:`Comment`}),s.includes(`REPORT`)&&(0,U.jsx)(il,{id:e.id})]})}var gl={LOCKED:`locked`,HIDDEN:`hidden`,HELD:`waits for a moderator`};function _l({comment:e,thread:t,replies:n}){let[r,i]=(0,_.useState)(!1),[a,o]=(0,_.useState)(!1),s=F(Po),{source:c,edit:l,done:u}=pl(e.id),d=(0,_.useId)(),f=e.deletedAt!==null||e.author.login===`ghost`&&e.commentState===`HIDDEN`,p=f?``:gl[e.commentState],m=(0,U.jsx)(fl,{of:e});f?m=(0,U.jsxs)(`p`,{className:`tombstone`,children:[`This comment was `,e.deletedAt?`deleted`:`hidden`,`.`]}):c!==null&&(m=(0,U.jsx)(ul,{label:`Edit the comment`,start:c,action:`Save`,cancel:u,send:async t=>{let{updateComment:n}=await s({input:{commentId:e.id,content:t}});return n?.comment&&u(),n?.errors}}));let h=t.at===e.number;return(0,U.jsxs)(`li`,{className:h?`comment at`:`comment`,id:h||t.at===void 0?`c${e.number}`:void 0,children:[(0,U.jsxs)(`article`,{"aria-label":`Comment ${e.number} by ${e.author.login}`,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsx)(`button`,{className:`fold`,"aria-expanded":!a,"aria-controls":d,onClick:()=>o(!a),children:(0,U.jsxs)(`span`,{className:`hidden`,children:[`Comment `,e.number]})}),f?(0,U.jsx)(`span`,{children:e.deletedAt?`deleted`:`hidden`}):(0,U.jsx)(gs,{user:e.author,face:!0}),(0,U.jsx)(ms,{at:e.createdAt}),e.editedAt&&!f&&(0,U.jsxs)(`a`,{href:L(`history`,e.id),children:[`edited `,(0,U.jsx)(ms,{at:e.editedAt})]}),p&&(0,U.jsx)(`span`,{className:`chip`,children:p}),(0,U.jsxs)(`a`,{className:`number`,href:`#c${e.number}`,children:[`#`,e.number]})]}),(0,U.jsxs)(`div`,{id:d,hidden:a,children:[m,!f&&c===null&&(0,U.jsx)(hl,{comment:e,thread:t,edit:l,reply:()=>i(!0)})]})]}),!a&&r&&(0,U.jsx)(dl,{topic:t.topic.id,parent:e.id,label:`Reply to ${e.author.login}`,done:()=>i(!1)}),!a&&(n??(0,U.jsx)(ml,{comment:e,thread:t}))]})}var vl=({comments:e,thread:t})=>(0,U.jsx)(`ol`,{className:`comments`,children:e.map(e=>(0,U.jsx)(_l,{comment:e,thread:t},e.id))});function yl({rows:e,thread:t}){let n=e[0]?.node.depth??0,r=e.flatMap(({node:e},t)=>e.depth<=n?[t]:[]);return(0,U.jsx)(`ol`,{className:`comments`,children:r.map((n,i)=>{let{node:a,hasGapBefore:o}=e[n],s=e.slice(n+1,r[i+1]),c=(0,U.jsx)(`div`,{className:`replies`,children:(0,U.jsx)(yl,{rows:s,thread:t})});return(0,U.jsxs)(_.Fragment,{children:[o&&(0,U.jsx)(`li`,{className:`hint`,children:`…`}),(0,U.jsx)(_l,{comment:a,thread:t,...s.length>0&&{replies:c}})]},a.id)})})}var bl={OLDEST:`Oldest`,NEWEST:`Newest`,TOP:`Best`,CONTROVERSIAL:`Disputed`};function xl(e,t){let n=Ri(Ji),[r,i]=(0,_.useState)({id:``,after:``}),[a,o]=(0,_.useState)(``),s=e?.id??``;s&&r.id!==s&&i({id:s,after:e?.commentsEventId??null});let c=V(),l=!s||r.id!==s;$i(Eo,{topic:s,after:r.after},l,({commentsUpdated:e})=>{e.kind===`RESET`&&t(),e.kind===`ADDED`&&e.comment&&e.comment.author.id!==c?.id&&o(`New comment by ${e.comment.author.login}`)}),$i(Do,{topic:s},!s,({topicUpdated:e})=>{e.topic||o(`This topic was deleted.`)});let u=(0,_.useRef)(n);return(0,_.useEffect)(()=>{u.current!==n&&t(),u.current=n},[n]),a}function Sl(e){let t=F(Mo),n=F(jo),r=V();(0,_.useEffect)(()=>{e&&t({ids:[e.id]}).catch(()=>void 0)},[e?.id]),(0,_.useEffect)(()=>{e&&r&&e.state===`OPEN`&&n({input:{topicId:e.id}}).catch(()=>void 0)},[e?.id,r?.id,e?.commentCount])}function Cl({topic:e,source:t,done:n}){let r=F(Lo),i=F(zo),a=e.tags.map(e=>e.name),o=Ns(async({title:t=``,content:o=``,tags:s=``})=>{let c={topicId:e.id,content:o,...e.kind!==`STATUS`&&{title:t}},{updateTopic:l}=await r({input:c});if(l?.errors.length)return l.errors;let u=s.split(`,`).map(e=>e.trim()).filter(Boolean),d=u.filter(e=>!a.includes(e)),f=a.filter(e=>!u.includes(e)),p=(d.length+f.length>0?await i({input:{topicId:e.id,add:d,remove:f}}):null)?.tagTopic?.errors.map(e=>({...e,path:[`input`,`tags`]}))??[];return p.length||n(),p});return(0,U.jsxs)(Ps,{state:o,action:(0,U.jsx)(Fs,{cancel:n}),children:[e.kind!==`STATUS`&&(0,U.jsx)(W,{label:`Title`,name:`title`,state:o,defaultValue:e.title}),(0,U.jsx)(W,{label:`Text`,name:`content`,state:o,lines:12,defaultValue:t}),(0,U.jsx)(W,{label:`Tags`,name:`tags`,state:o,defaultValue:a.join(`, `),hint:`Separated by commas`})]})}var wl={LOCKED:`This topic is locked: it takes no comments and votes.`,HIDDEN:`A moderator has hidden this topic. Only its author and moderators see it.`,HELD:`This topic waits for a moderator. Only its author and moderators see it.`,DELETED:`This topic was deleted. Only its author and moderators see it.`};function Tl({topic:e}){let t=F(Ro),n=t=>e.viewerCan.includes(t),{source:r,edit:i,done:a}=pl(e.id);return(0,U.jsxs)(`article`,{className:`topic`,children:[(0,U.jsx)(rc,{votes:e.votes,of:e.title,can:e.viewerCan}),(0,U.jsxs)(`div`,{className:`what`,children:[e.state!==`OPEN`&&(0,U.jsx)(`p`,{className:`notice`,children:wl[e.state]}),(0,U.jsx)(`h1`,{dir:`auto`,children:e.title}),(0,U.jsxs)(`p`,{className:`meta`,children:[e.category&&(0,U.jsx)(bs,{of:e.category}),(0,U.jsx)(gs,{user:e.author,face:!0}),(0,U.jsx)(ms,{at:e.createdAt}),e.editedAt&&(0,U.jsxs)(`a`,{href:L(`history`,e.id),children:[`edited `,(0,U.jsx)(ms,{at:e.editedAt})]}),(0,U.jsx)(`span`,{children:rs(e.clickCount,`visit`)})]}),e.link&&(0,U.jsx)(`p`,{children:(0,U.jsxs)(_s,{className:`button`,href:e.link,children:[is(e.link),` ↗`]})}),r===null?(0,U.jsx)(fl,{of:e}):(0,U.jsx)(Cl,{topic:e,source:r,done:a}),(0,U.jsxs)(`div`,{className:`tools`,children:[(0,U.jsx)(xs,{tags:e.tags}),(0,U.jsx)(`span`,{className:`space`}),n(`EDIT`)&&r===null&&(0,U.jsx)(`button`,{className:`quiet`,onClick:i,children:`Edit`}),n(`DELETE`)&&(0,U.jsx)(sc,{label:`Delete`,question:`Delete this topic with its comments? This is final.`,run:async()=>{let{deleteTopic:n}=await t({id:e.id});n?.errors[0]?G(n.errors[0].message):na(`/`)},children:`Delete`}),n(`MODERATE`)&&(0,U.jsx)(rl,{id:e.id,type:`Topic`}),n(`REPORT`)&&(0,U.jsx)(il,{id:e.id}),(0,U.jsx)(oc,{topic:e}),(0,U.jsx)(ac,{topic:e})]})]})]})}function El({topic:e,thread:t}){let{hash:n}=aa(),r=P(),[i,a]=(0,_.useState)([]),o=Number(/^#c(\d+)$/.exec(n)?.[1]);return(0,_.useEffect)(()=>{let i=document.getElementById(n.slice(1));i?.scrollIntoView({block:`center`}),o&&!i&&r(xo,{number:e,around:o,orderBy:t.order}).then(e=>a(e?.topic?.thread.edges??[]))},[n]),(0,_.useEffect)(()=>{document.getElementById(n.slice(1))?.scrollIntoView({block:`center`})},[i]),i.length===0?null:(0,U.jsx)(`section`,{className:`linked`,"aria-label":`The discussion at comment ${o}`,children:(0,U.jsx)(yl,{rows:i,thread:{...t,at:o}})})}function Dl({number:e}){let t=aa(),n=V(),r=P(),i=t.searchParams.get(`order`)??``,a=i in bl?i:`OLDEST`,o={number:e,orderBy:a},{data:s,error:c,fetching:l,refresh:u}=N(bo,o),d=s?.topic,f=xl(d,u);if(Sl(d),Cs(d?.title),c&&!d)return(0,U.jsx)(As,{error:c,retry:u});if(!d)return l?(0,U.jsx)(Ts,{rows:4}):(0,U.jsx)(Es,{children:`There is no such topic, or it was deleted.`});let{nodes:p,pageInfo:m}=d.comments,h=m.hasNextPage?m.endCursor:null,g=d.category?d.category.access:s.site.uncategorised,_=Os(g,`replies`),v={topic:d,order:a,open:_},y=`/login?next=${encodeURIComponent(t.pathname)}`;return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(Tl,{topic:d},d.id),(0,U.jsxs)(`section`,{className:`discussion`,"aria-labelledby":`comments`,children:[(0,U.jsxs)(`header`,{children:[(0,U.jsx)(`h2`,{id:`comments`,children:rs(d.commentCount,`comment`)}),d.commentCount>1&&(0,U.jsx)(js,{label:`Order of comments`,current:a,options:Object.entries(bl).map(([e,n])=>({value:e,name:n,href:I(t,{order:e===`OLDEST`?``:e})}))})]}),(0,U.jsx)(`p`,{className:`hidden`,role:`status`,children:f}),(0,U.jsx)(El,{topic:e,thread:v}),p.length===0&&(0,U.jsxs)(Es,{children:[`No comments yet.`,_&&` Say something.`]}),(0,U.jsx)(vl,{comments:p,thread:v}),h&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void r(bo,{...o,after:h}),children:`More comments`}),d.viewerCan.includes(`COMMENT`)&&(0,U.jsx)(dl,{topic:d.id,label:`Your reply`}),(0,U.jsx)(ks,{access:g,deed:`replies`}),!n&&_&&(0,U.jsxs)(`p`,{className:`join`,children:[(0,U.jsx)(`a`,{href:y,children:`Sign in`}),` to reply.`]})]})]})}var Ol=[{name:`Categories`,value:`/manage`,role:`MODERATOR`},{name:`Tabs`,value:`/manage/tabs`,role:`MODERATOR`},{name:`Blocklist`,value:`/manage/blocklist`,role:`MODERATOR`},{name:`Applications`,value:`/manage/applications`,role:`MODERATOR`},{name:`Groups`,value:`/manage/groups`,role:`ADMIN`},{name:`Moderators`,value:`/manage/team`,role:`ADMIN`},{name:`Rules`,value:`/manage/rules`,role:`ADMIN`},{name:`Tasks`,value:`/manage/tasks`,role:`ADMIN`}];function kl({at:e,lead:t,children:n}){let r=V()?.role??`USER`,i=cs(),a=Ol.filter(e=>r===`ADMIN`||r===e.role||i&&e.value===`/manage/groups`),o=a.find(({value:t})=>t===e);return o?(0,U.jsxs)(ws,{title:o.name,lead:t,children:[(0,U.jsx)(js,{label:`Manage the site`,current:e,options:a.map(e=>({...e,href:e.value}))}),n]}):(0,U.jsx)(ws,{title:`Manage the site`,children:(0,U.jsx)(Es,{children:`Your role does not allow this.`})})}var Al=({legend:e,name:t,state:n,options:r,of:i})=>(0,U.jsxs)(`fieldset`,{name:t,className:`several`,children:[(0,U.jsx)(`legend`,{children:e}),r?.map(e=>(0,U.jsx)(Is,{label:e.name,name:`in:${e.id}`,defaultChecked:i.some(({id:t})=>t===e.id)},e.id)),(0,U.jsx)(`p`,{className:`fault`,role:`alert`,children:n.faults.fields[t]})]}),jl=e=>Object.keys(e).filter(e=>e.startsWith(`in:`)).map(e=>e.slice(3)),Ml=e=>e?.[0]&&G(e[0].message);function Nl({of:e,question:t,save:n,remove:r,fields:i,fixed:a,children:o}){let[s,c]=(0,_.useState)(!1),l=Ns(async e=>{let t=await n(e);return t?.errors.length===0&&c(!1),t?.errors}),{name:u,description:d}=e;return(0,U.jsxs)(`li`,{children:[s?(0,U.jsxs)(Ps,{state:l,action:(0,U.jsx)(Fs,{cancel:()=>c(!1)}),children:[(0,U.jsx)(W,{label:`Name`,name:`name`,state:l,defaultValue:u}),d!==void 0&&(0,U.jsx)(W,{label:`Description`,name:`description`,state:l,defaultValue:d}),i?.(l)]}):o,!s&&!a&&(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`button`,{className:`quiet`,onClick:()=>c(!0),children:[`Edit`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` `,u]})]}),(0,U.jsxs)(sc,{label:`Delete`,question:t,run:async()=>Ml((await r())?.errors),children:[`Delete`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` `,u]})]})]})]})}var Pl=[{code:`NOT_FOUND`,message:`There is no such member.`,path:[`input`,`login`]}],Fl=e=>e.path[1]===`add`?{...e,path:[`input`,`login`]}:e;function Il(){let e=P();return async t=>(await e(wa,{login:t.replace(/^@/,``)}))?.user}function Ll({user:e}){let t=F(Na);return(0,U.jsx)(tl,{label:`Role`,title:`Role of ${e.login}`,action:`Change`,reason:`OTHER`,done:`The role of ${e.login} has changed.`,send:async({role:n,reason:r,note:i})=>(await t({input:{userId:e.id,role:n,reason:r,note:i}})).setUserRole,children:t=>(0,U.jsx)(W,{label:`Role`,name:`role`,state:t,defaultValue:e.role,options:Hc})})}function Rl({category:e}){let t=F(Za),n=Il();return(0,U.jsx)(tl,{label:(0,U.jsxs)(U.Fragment,{children:[`Appoint`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` a moderator of `,e.name]})]}),title:`Appoint a moderator of ${e.name}`,action:`Appoint`,reason:`OTHER`,send:async({login:r=``,reason:i,note:a})=>{let o=await n(r);if(!o)return{errors:Pl};let s={category:{id:e.id},add:[o.id],reason:i,note:a},{setCategoryModerators:c}=await t({input:s});return c&&{...c,errors:c.errors.map(Fl)}},children:e=>(0,U.jsx)(W,{label:`Member`,name:`login`,state:e,placeholder:`login`,autoCapitalize:`none`})})}function zl({user:e,category:t}){let n=F(Za);return(0,U.jsx)(tl,{label:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`span`,{className:`hidden`,children:[`Dismiss `,e.login,` from `,t.name]}),`×`]}),title:`Dismiss ${e.login} as moderator of ${t.name}`,action:`Dismiss`,reason:`OTHER`,send:async({reason:r,note:i})=>(await n({input:{category:{id:t.id},remove:[e.id],reason:r,note:i}})).setCategoryModerators})}function Bl(){let{data:e,error:t,refresh:n}=N(Xa,{},{requestPolicy:`cache-and-network`}),r=e?.categories?.nodes;return r?(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`h2`,{children:`Of single categories`}),(0,U.jsx)(`ul`,{className:`plain`,children:r.map(e=>(0,U.jsxs)(`li`,{"data-category":e.name,children:[(0,U.jsx)(`span`,{className:`chips`,children:(0,U.jsx)(bs,{of:e})}),(0,U.jsx)(`ul`,{className:`members`,children:e.moderators.map(t=>(0,U.jsxs)(`li`,{children:[(0,U.jsx)(gs,{user:t,face:!0}),(0,U.jsx)(zl,{user:t,category:e})]},t.id))}),(0,U.jsx)(Rl,{category:e})]},e.id))})]}):t?(0,U.jsx)(As,{error:t,retry:n}):(0,U.jsx)(Ts,{rows:3})}function Vl(){let e=Il(),t=Ns(async({login:t=``})=>{let n=await e(t);if(!n)return Pl;na(L(`u`,n.login))});return(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`h2`,{children:`Of the site`}),(0,U.jsx)(`p`,{className:`hint`,children:`Administrators change the role of a member on the member’s page.`}),(0,U.jsx)(Ps,{state:t,className:`form line`,action:(0,U.jsx)(`button`,{children:`Open`}),children:(0,U.jsx)(W,{label:`Member`,name:`login`,state:t,placeholder:`login`,autoCapitalize:`none`})})]})}var Hl=()=>(0,U.jsxs)(kl,{at:`/manage/team`,lead:`Who moderates the site, and who only single categories`,children:[(0,U.jsx)(Vl,{}),(0,U.jsx)(Bl,{})]});function Ul({login:e}){let t=P(),{data:n,fetching:r}=N(Ko,{login:e}),i=n?.user?.comments;if(!i)return r?(0,U.jsx)(Ts,{}):null;if(!i.nodes.length)return(0,U.jsx)(Es,{children:`No comments yet.`});let a=i.pageInfo.hasNextPage?i.pageInfo.endCursor:null;return(0,U.jsxs)(`div`,{className:`rows`,children:[i.nodes.map(e=>(0,U.jsxs)(`article`,{className:`row`,children:[(0,U.jsx)(rc,{votes:e.votes,of:`comment ${e.number}`}),(0,U.jsxs)(`div`,{className:`what`,children:[(0,U.jsx)(`h2`,{dir:`auto`,children:(0,U.jsx)(`a`,{href:`${L(`t`,e.topic.number)}#c${e.number}`,children:e.topic.title})}),(0,U.jsx)(`p`,{className:`excerpt`,dir:`auto`,children:e.excerpt}),(0,U.jsx)(`p`,{className:`meta`,children:(0,U.jsx)(ms,{at:e.createdAt})})]})]},e.id)),a&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void t(Ko,{login:e,after:a}),children:`More`})]})}function Wl({login:e}){let t=aa(),n=V(),r=P(),i=F(ya),a=N(Go,{login:e}),o=a.data?.user;if(Cs(o?.name),!o)return(0,U.jsx)(xc,{what:`member`,result:a});let s=t.searchParams.has(`comments`),c=!o.viewerIsBlocking;return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`header`,{className:`profile`,children:[(0,U.jsx)(hs,{user:o,large:!0}),(0,U.jsxs)(`div`,{className:`what`,children:[(0,U.jsxs)(`h1`,{children:[(0,U.jsx)(`bdi`,{children:o.name}),o.role!==`USER`&&(0,U.jsx)(`span`,{className:`role`,children:o.role.toLowerCase()})]}),(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsxs)(`span`,{children:[`@`,(0,U.jsx)(`bdi`,{children:o.login})]}),(0,U.jsxs)(`span`,{children:[`since `,es(o.createdAt).split(` at `)[0]]}),o.website&&(0,U.jsx)(_s,{href:o.website,children:is(o.website)}),o.followsViewer&&(0,U.jsx)(`span`,{className:`chip`,children:`follows you`}),o.isBanned&&(0,U.jsx)(`span`,{className:`chip`,children:`banned`}),H(n)&&(0,U.jsx)(`a`,{href:`/log?user=${encodeURIComponent(o.login)}`,children:`What moderators did`}),H(n)&&o.role!==`USER`&&(0,U.jsx)(`a`,{href:`/log?by=${encodeURIComponent(o.login)}`,children:`As a moderator`}),o.invitedBy&&(0,U.jsxs)(`span`,{children:[`invited by `,(0,U.jsx)(gs,{user:o.invitedBy})]})]}),o.ban&&(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsxs)(`span`,{children:[`Banned `,Wc(o.ban),`, `,Mc[o.ban.reason]]}),(0,U.jsx)(ms,{at:o.ban.createdAt}),o.ban.note&&(0,U.jsx)(`q`,{dir:`auto`,children:o.ban.note})]}),o.bio&&(0,U.jsx)(`p`,{className:`bio`,dir:`auto`,children:o.bio}),(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsxs)(`span`,{children:[o.karma.toLocaleString(`en`),` karma`]}),(0,U.jsx)(`span`,{children:rs(o.topicCount,`topic`)}),(0,U.jsx)(`span`,{children:rs(o.followerCount,`follower`)}),(0,U.jsxs)(`span`,{children:[o.followingCount,` following`]})]})]}),n?.id!==o.id&&(0,U.jsxs)(`div`,{className:`actions`,children:[o.viewerCan.includes(`SET_ROLE`)&&(0,U.jsx)(Ll,{user:o}),o.viewerCan.includes(`BAN`)&&(0,U.jsx)(ll,{user:o}),o.viewerCan.includes(`REPORT`)&&(0,U.jsx)(il,{id:o.id}),(0,U.jsx)(ic,{target:o}),o.viewerCan.includes(`BLOCK`)&&(0,U.jsx)(sc,{label:c?`Block`:`Unblock`,run:()=>i({input:{userId:o.id,blocked:c}}),question:c?`Block this member? You will not see each other in homes.`:`Unblock this member?`,children:c?`Block`:`Unblock`})]})]}),(0,U.jsx)(js,{label:`Contributions`,current:s?`comments`:`topics`,options:[{name:`Topics`,value:`topics`,href:L(`u`,o.login)},{name:`Comments`,value:`comments`,href:`${L(`u`,o.login)}?comments=1`}]}),s?(0,U.jsx)(Ul,{login:o.login}):(0,U.jsx)(yc,{...a,timeline:o.profile,more:t=>r(Go,{login:e,after:t,more:!0})})]})}function Gl({of:{userId:e,login:t,name:n,text:r,createdAt:i,rejection:a},refresh:o}){let s=F(ro),c=()=>s({input:{userId:e,approve:!0}}).then(({resolveApplication:e})=>{G(e?.errors[0]?.message??`${t} can sign in now.`),o()},e=>G(e.message));return(0,U.jsxs)(`li`,{className:`panel case`,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsx)(`strong`,{dir:`auto`,children:n}),(0,U.jsxs)(`bdi`,{children:[`@`,t]}),(0,U.jsx)(ms,{at:i})]}),r&&(0,U.jsx)(`p`,{className:`prose`,dir:`auto`,children:r}),a&&(0,U.jsxs)(`p`,{children:[`Rejected: `,Mc[a.reason],` `,a.note&&(0,U.jsx)(`q`,{dir:`auto`,children:a.note})]}),(0,U.jsxs)(`div`,{className:`tools`,children:[(0,U.jsxs)(`button`,{className:`quiet`,onClick:()=>void c(),children:[`Approve`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` `,t]})]}),!a&&(0,U.jsx)(tl,{label:(0,U.jsxs)(U.Fragment,{children:[`Reject`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` `,t]})]}),title:`Reject ${t}`,action:`Reject`,reason:`SPAM`,done:`${t} is rejected.`,send:async({reason:t,note:n})=>{let{resolveApplication:r}=await s({input:{userId:e,approve:!1,reason:t,note:n}});return o(),r}})]})]})}var Kl={PENDING:`Waiting`,REJECTED:`Rejected`};function ql(){let e=aa(),t=P(),n=e.searchParams.get(`state`)===`REJECTED`?`REJECTED`:`PENDING`,{data:r,error:i,refresh:a}=N(no,{state:n},{requestPolicy:`network-only`}),o=r?.applications,s=o?.pageInfo.hasNextPage?o.pageInfo.endCursor:null,c=Object.entries(Kl).map(([t,n])=>({value:t,name:n,href:I(e,{state:t===`PENDING`?``:t})}));return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(js,{label:`Which applications`,current:n,options:c}),!o&&(i?(0,U.jsx)(As,{error:i,retry:a}):(0,U.jsx)(Ts,{rows:3})),o?.nodes.length===0&&(0,U.jsx)(Es,{children:n===`PENDING`?`Nobody waits.`:`Nobody is rejected.`}),(0,U.jsx)(`ol`,{className:`plain`,children:o?.nodes.map(e=>(0,U.jsx)(Gl,{of:e,refresh:a},e.userId))}),s&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void t(no,{state:n,after:s}),children:`More`})]})}var Jl=()=>(0,U.jsx)(kl,{at:`/manage/applications`,lead:`Who registered and waits for approval`,children:(0,U.jsx)(ql,{})});function Yl({kind:e,title:t,hint:n}){let{data:r,error:i,refresh:a}=N(Ja,{kind:e},{requestPolicy:`cache-and-network`}),o=F(Ya),s=Ns(async({add:t=``})=>{let n=t.split(`
`).map(e=>e.trim()).filter(e=>e!==``);return(await o({kind:e,add:n})).updateBlocklist?.errors}),c=t=>void o({kind:e,remove:[t]}).then(({updateBlocklist:e})=>e?.errors[0]&&G(e.errors[0].message),e=>G(e.message)),l=r?.blocklist;return l?(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsxs)(`h2`,{children:[t,` `,(0,U.jsx)(`small`,{children:rs(l.length,`entry`,`entries`)})]}),(0,U.jsx)(`ul`,{className:`members`,children:l.map(e=>(0,U.jsxs)(`li`,{children:[(0,U.jsx)(`bdi`,{children:e}),(0,U.jsxs)(`button`,{className:`quiet`,onClick:()=>c(e),children:[(0,U.jsxs)(`span`,{className:`hidden`,children:[`Remove `,e]}),`×`]})]},e))}),(0,U.jsx)(Ps,{state:s,action:(0,U.jsx)(`button`,{className:`primary`,disabled:s.busy,children:`Add`}),children:(0,U.jsx)(W,{label:`Add ${t.toLowerCase()}`,name:`add`,state:s,lines:3,hint:n})},l.length)]}):i?(0,U.jsx)(As,{error:i,retry:a}):(0,U.jsx)(Ts,{rows:2})}var Xl=()=>(0,U.jsxs)(kl,{at:`/manage/blocklist`,lead:`What nobody but moderators may post, or have in a profile`,children:[(0,U.jsx)(Yl,{kind:`WORD`,title:`Words`,hint:`One per line. Case and look-alike letters make no difference.`}),(0,U.jsx)(Yl,{kind:`DOMAIN`,title:`Domains`,hint:`One per line, such as example.org. Domains below it are blocked, too.`})]});function Zl({access:e,category:t,close:n}){let r=F(La),{groups:i}=ss(),[a,o]=(0,_.useState)(e.sees),s=e.groups??[],c=i?.nodes.filter(({id:e})=>!s.some(t=>t.id===e))??[],l=Ns(async i=>{let o=Object.entries(i).filter(([t,n])=>t in e&&n!==e[t]),c=jl(i),l=e.sees!==a||String(c)!==String(s.map(({id:e})=>e)),u={...Object.fromEntries(o),...t&&{category:{id:t.id}},...a===`GROUPS`&&l&&{groups:c.map(e=>({id:e}))}},{updateAccess:d}=await r({input:u});return d?.errors.length===0&&n(),d?.errors});return(0,U.jsxs)(Ps,{state:l,action:(0,U.jsx)(Fs,{cancel:n}),onChange:({currentTarget:e})=>o(new FormData(e).get(`sees`)),children:[t&&(0,U.jsx)(W,{label:`Who sees it`,name:`sees`,state:l,defaultValue:e.sees,options:Rc,hint:`Lists of the site leave out what not everybody sees`}),a===`GROUPS`&&(0,U.jsx)(Al,{legend:`Groups`,name:`groups`,state:l,options:[...s,...c],of:s}),(0,U.jsx)(W,{label:`Who may post`,name:`posts`,state:l,defaultValue:e.posts,options:zc}),(0,U.jsx)(W,{label:`Who may reply and vote`,name:`replies`,state:l,defaultValue:e.replies,options:zc})]})}var Ql=({access:e})=>e&&(0,U.jsxs)(U.Fragment,{children:[e.sees!==`PUBLIC`&&(0,U.jsxs)(`p`,{className:`hint`,children:[`Seen by: `,e.groups?.map(({name:e})=>e).join(`, `)||Rc[e.sees]]}),[e.posts,e.replies].some(e=>e!==`EVERYBODY`)&&(0,U.jsxs)(`p`,{className:`hint`,children:[`Posts: `,zc[e.posts],` · Replies: `,zc[e.replies]]})]});function $l({access:e,category:t}){let n=V()?.role===`ADMIN`,r=t?.name??`topics without a category`;return e&&n&&(0,U.jsx)($c,{label:(0,U.jsxs)(U.Fragment,{children:[`Access`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` to `,r]})]}),title:`Access to ${r}`,children:n=>(0,U.jsx)(Zl,{access:e,category:t,close:n})})}function eu({category:e,access:t}){let n=F(Fa),r=F(Ia);return(0,U.jsxs)(Nl,{of:e,question:`Delete the category ${e.name}?`,save:async({name:t=``,description:r=``,position:i})=>(await n({input:{category:{id:e.id},name:t,description:r,position:Number(i)}})).updateCategory,remove:async()=>(await r({id:e.id})).deleteCategory,fields:t=>(0,U.jsx)(tu,{state:t,of:e}),children:[(0,U.jsxs)(`div`,{children:[(0,U.jsxs)(`span`,{children:[(0,U.jsx)(`strong`,{dir:`auto`,children:e.name}),` `,(0,U.jsx)(`span`,{dir:`auto`,children:e.description})]}),(0,U.jsx)(Ql,{access:t})]}),(0,U.jsx)(`span`,{children:rs(e.topicCount,`topic`)}),(0,U.jsx)($l,{access:t,category:e})]})}var tu=({state:e,of:t})=>(0,U.jsx)(W,{label:`Position`,name:`position`,state:e,type:`number`,defaultValue:t.position,hint:`Lower ones come first, and older ones of the same position`});function nu(){let{categories:e}=ss(),{data:t,error:n,refresh:r}=N(ca,{},{requestPolicy:`cache-and-network`}),i=F(Pa),a=Ns(async({name:e=``,description:t=``})=>(await i({input:{name:e,description:t}})).createCategory?.errors);return(0,U.jsx)(kl,{at:`/manage`,lead:`You can also moderate topics and comments where they stand`,children:(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsxs)(`ul`,{className:`plain`,children:[e?.nodes.map(e=>(0,U.jsx)(eu,{category:e,access:t?.categories?.nodes.find(({id:t})=>t===e.id)?.access},e.id)),t&&(0,U.jsxs)(`li`,{children:[(0,U.jsxs)(`div`,{children:[`Topics without a category`,(0,U.jsx)(Ql,{access:t.site.uncategorised})]}),(0,U.jsx)($l,{access:t.site.uncategorised})]})]}),n&&!t&&(0,U.jsx)(As,{error:n,retry:r}),(0,U.jsxs)(Ps,{state:a,action:(0,U.jsx)(`button`,{className:`primary`,children:`Create`}),children:[(0,U.jsx)(W,{label:`New category`,name:`name`,state:a}),(0,U.jsx)(W,{label:`Description`,name:`description`,state:a})]},e?.nodes.length)]})})}function ru({title:e,users:t,ends:n,change:r}){let i=nc(),a=Ns(async({add:e=``,until:t})=>{let n=t?new Date(`${t}T23:59:59`).toISOString():null;return r?r([{user:{login:e.replace(/^@/,``)},until:n}],[]):[]}),o=async e=>Ml(r?await r([],[{id:e}]):[]);return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`h3`,{children:e}),(0,U.jsx)(`ul`,{className:`members`,children:t.map(({user:e,until:t})=>(0,U.jsxs)(`li`,{children:[(0,U.jsx)(gs,{user:e,face:!0}),t&&(0,U.jsxs)(`small`,{children:[`until `,new Date(t).toLocaleDateString()]}),r&&(0,U.jsxs)(`button`,{className:`quiet`,onClick:()=>i(()=>o(e.id)),children:[(0,U.jsxs)(`span`,{className:`hidden`,children:[`Remove `,e.login]}),`×`]})]},e.id))}),r&&(0,U.jsxs)(Ps,{state:a,action:(0,U.jsx)(`button`,{children:`Add`}),children:[(0,U.jsx)(W,{label:`Add to ${e.toLowerCase()}`,name:`add`,state:a,placeholder:`login`}),n&&(0,U.jsx)(W,{label:`Until`,name:`until`,state:a,type:`date`,hint:`Empty for no end`})]},t.length)]})}function K({id:e,close:t}){let n=V()?.role===`ADMIN`,r=P(),{data:i,error:a,refresh:o}=N(Ha,{id:e},{requestPolicy:`cache-and-network`}),s=F(Ka),c=F(qa);if(!i?.group)return a?(0,U.jsx)(As,{error:a,retry:o}):(0,U.jsx)(Ts,{rows:1});let{managers:l,members:{nodes:u,pageInfo:d}}=i.group,f=d.hasNextPage&&d.endCursor;return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(ru,{title:`Members`,users:u,ends:!0,change:async(t,n)=>{let{setGroupMembers:r}=await s({input:{group:{id:e},add:t,remove:n}});return o(),r?.errors}}),f&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void r(Ha,{id:e,after:f}),children:`More`}),(0,U.jsx)(ru,{title:`Managers`,users:l.map(e=>({user:e})),change:n&&(async(t,n)=>(await c({input:{group:{id:e},add:t.map(({user:e})=>e),remove:n}})).setGroupManagers?.errors)}),(0,U.jsx)(`div`,{className:`actions`,children:(0,U.jsx)(`button`,{onClick:t,children:`Close`})})]})}function iu({group:e,admin:t}){let{id:n,name:r}=e,i=F(Wa),a=F(Ga);return(0,U.jsxs)(Nl,{of:e,fixed:!t,question:`Delete the group ${r}? Its members no longer see what only it sees.`,save:async e=>(await i({input:{group:{id:n},...e}})).updateGroup,remove:async()=>(await a({id:n})).deleteGroup,children:[(0,U.jsxs)(`span`,{children:[(0,U.jsx)(`strong`,{dir:`auto`,children:r}),` `,(0,U.jsx)(`span`,{dir:`auto`,children:e.description})]}),(0,U.jsx)(`span`,{children:rs(e.memberCount,`member`)}),(0,U.jsx)($c,{label:(0,U.jsxs)(U.Fragment,{children:[`Members`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` of `,r]})]}),title:`Group ${r}`,children:e=>(0,U.jsx)(K,{id:n,close:e})})]})}function au(){let{groups:e}=ss(),t=V()?.role===`ADMIN`,n=F(Ua),r=Ns(async({name:e=``,description:t=``})=>(await n({input:{name:e,description:t}})).createGroup?.errors),i=e?.nodes.filter(e=>t||e.viewerIsManager);return(0,U.jsx)(kl,{at:`/manage/groups`,lead:`Sets of members, who may see what others do not`,children:(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`ul`,{className:`plain`,children:i?.map(e=>(0,U.jsx)(iu,{group:e,admin:t},e.id))}),e&&e.totalCount>e.nodes.length&&(0,U.jsx)(`p`,{className:`hint`,children:`Others are left out.`}),t&&(0,U.jsxs)(Ps,{state:r,action:(0,U.jsx)(`button`,{className:`primary`,children:`Create`}),children:[(0,U.jsx)(W,{label:`New group`,name:`name`,state:r}),(0,U.jsx)(W,{label:`Description`,name:`description`,state:r})]},e?.nodes.length)]})})}var ou=class{diff(e,t,n={}){let r;typeof n==`function`?(r=n,n={}):`callback`in n&&(r=n.callback);let i=this.castInput(e,n),a=this.castInput(t,n),o=this.removeEmpty(this.tokenize(i,n)),s=this.removeEmpty(this.tokenize(a,n));return this.diffWithOptionsObj(o,s,n,r)}diffWithOptionsObj(e,t,n,r){let i=e=>{if(e=this.postProcess(e,n),r)setTimeout(function(){r(e)},0);else return e},a=t.length,o=e.length,s=1,c=a+o;n.maxEditLength!=null&&(c=Math.min(c,n.maxEditLength));let l=n.timeout??1/0,u=Date.now()+l,d=[{oldPos:-1,lastComponent:void 0}],f=this.extractCommon(d[0],t,e,0,n);if(d[0].oldPos+1>=o&&f+1>=a)return i(this.buildValues(d[0].lastComponent,t,e));let p=-1/0,m=1/0,h=()=>{for(let r=Math.max(p,-s);r<=Math.min(m,s);r+=2){let s,c=d[r-1],l=d[r+1];c&&(d[r-1]=void 0);let u=!1;if(l){let e=l.oldPos-r;u=l&&0<=e&&e<a}let h=c&&c.oldPos+1<o;if(!u&&!h)d[r]=void 0;else{if(s=!h||u&&c.oldPos<l.oldPos?this.addToPath(l,!0,!1,0,n):this.addToPath(c,!1,!0,1,n),f=this.extractCommon(s,t,e,r,n),s.oldPos+1>=o&&f+1>=a)return i(this.buildValues(s.lastComponent,t,e))||!0;d[r]=s,s.oldPos+1>=o&&(m=Math.min(m,r-1)),f+1>=a&&(p=Math.max(p,r+1))}}s++};if(r)(function e(){setTimeout(function(){if(s>c||Date.now()>u)return r(void 0);h()||e()},0)})();else for(;s<=c&&Date.now()<=u;){let e=h();if(e)return e}}addToPath(e,t,n,r,i){let a=e.lastComponent;return a&&!i.oneChangePerToken&&a.added===t&&a.removed===n?{oldPos:e.oldPos+r,lastComponent:{count:a.count+1,added:t,removed:n,previousComponent:a.previousComponent}}:{oldPos:e.oldPos+r,lastComponent:{count:1,added:t,removed:n,previousComponent:a}}}extractCommon(e,t,n,r,i){let a=t.length,o=n.length,s=e.oldPos,c=s-r,l=0;for(;c+1<a&&s+1<o&&this.equals(n[s+1],t[c+1],i);)c++,s++,l++,i.oneChangePerToken&&(e.lastComponent={count:1,previousComponent:e.lastComponent,added:!1,removed:!1});return l&&!i.oneChangePerToken&&(e.lastComponent={count:l,previousComponent:e.lastComponent,added:!1,removed:!1}),e.oldPos=s,c}equals(e,t,n){return n.comparator?n.comparator(e,t):e===t||!!n.ignoreCase&&e.toLowerCase()===t.toLowerCase()}removeEmpty(e){let t=[];for(let n=0;n<e.length;n++)e[n]&&t.push(e[n]);return t}castInput(e,t){return e}tokenize(e,t){return Array.from(e)}join(e){return e.join(``)}postProcess(e,t){return e}get useLongestToken(){return!1}buildValues(e,t,n){let r=[],i;for(;e;)r.push(e),i=e.previousComponent,delete e.previousComponent,e=i;r.reverse();let a=r.length,o=0,s=0,c=0;for(;o<a;o++){let e=r[o];if(e.removed)e.value=this.join(n.slice(c,c+e.count)),c+=e.count;else{if(!e.added&&this.useLongestToken){let r=t.slice(s,s+e.count);r=r.map(function(e,t){let r=n[c+t];return r.length>e.length?r:e}),e.value=this.join(r)}else e.value=this.join(t.slice(s,s+e.count));s+=e.count,e.added||(c+=e.count)}}return r}};new class extends ou{};function su(e,t){let n=0;for(;n<e.length&&n<t.length;n++)if(e[n]!=t[n])return e.slice(0,n);return e.slice(0,n)}function cu(e,t){let n;if(!e||!t||e[e.length-1]!=t[t.length-1])return``;for(n=0;n<e.length&&n<t.length;n++)if(e[e.length-(n+1)]!=t[t.length-(n+1)])return e.slice(-n);return e.slice(-n)}function lu(e,t,n){if(e.slice(0,t.length)!=t)throw Error(`string ${JSON.stringify(e)} doesn't start with prefix ${JSON.stringify(t)}; this is a bug`);return n+e.slice(t.length)}function uu(e,t,n){if(!t)return e+n;if(e.slice(-t.length)!=t)throw Error(`string ${JSON.stringify(e)} doesn't end with suffix ${JSON.stringify(t)}; this is a bug`);return e.slice(0,-t.length)+n}function du(e,t){return lu(e,t,``)}function fu(e,t){return uu(e,t,``)}function pu(e,t){return t.slice(0,mu(e,t))}function mu(e,t){let n=0;e.length>t.length&&(n=e.length-t.length);let r=t.length;e.length<t.length&&(r=e.length);let i=Array(r),a=0;i[0]=0;for(let e=1;e<r;e++){for(t[e]==t[a]?i[e]=i[a]:i[e]=a;a>0&&t[e]!=t[a];)a=i[a];t[e]==t[a]&&a++}a=0;for(let r=n;r<e.length;r++){for(;a>0&&e[r]!=t[a];)a=i[a];e[r]==t[a]&&a++}return a}function hu(e,t){let n=[];for(let r of Array.from(t.segment(e))){let e=r.segment;n.length&&/\s/.test(n[n.length-1])&&/\s/.test(e)?n[n.length-1]+=e:n.push(e)}return n}function gu(e,t){if(t)return vu(e,t)[1];let n;for(n=e.length-1;n>=0&&e[n].match(/\s/);n--);return e.substring(n+1)}function _u(e,t){if(t)return vu(e,t)[0];let n=e.match(/^\s*/);return n?n[0]:``}function vu(e,t){if(!t)return[_u(e),gu(e)];if(t.resolvedOptions().granularity!=`word`)throw Error(`The segmenter passed must have a granularity of "word"`);let n=hu(e,t),r=n[0],i=n[n.length-1];return[/\s/.test(r)?r:``,/\s/.test(i)?i:``]}var yu=`a-zA-Z0-9_\\u{AD}\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2C6}\\u{2C8}-\\u{2D7}\\u{2DE}-\\u{2FF}\\u{1E00}-\\u{1EFF}`,bu=RegExp(`[${yu}]+|\\s+|[^${yu}]`,`ug`);new class extends ou{equals(e,t,n){return n.ignoreCase&&(e=e.toLowerCase(),t=t.toLowerCase()),e.trim()===t.trim()}tokenize(e,t={}){let n;if(t.intlSegmenter){let r=t.intlSegmenter;if(r.resolvedOptions().granularity!=`word`)throw Error(`The segmenter passed must have a granularity of "word"`);n=hu(e,r)}else n=e.match(bu)||[];let r=[],i=null;return n.forEach(e=>{/\s/.test(e)?i==null?r.push(e):r.push(r.pop()+e):i!=null&&/\s/.test(i)?r[r.length-1]==i?r.push(r.pop()+e):r.push(i+e):r.push(e),i=e}),r}join(e){return e.map((e,t)=>t==0?e:e.replace(/^\s+/,``)).join(``)}postProcess(e,t){if(!e||t.oneChangePerToken)return e;let n=null,r=null,i=null;return e.forEach(e=>{e.added?r=e:e.removed?i=e:((r||i)&&xu(n,i,r,e,t.intlSegmenter),n=e,r=null,i=null)}),(r||i)&&xu(n,i,r,null,t.intlSegmenter),e}};function xu(e,t,n,r,i){if(t&&n){let[a,o]=vu(t.value,i),[s,c]=vu(n.value,i);if(e){let r=su(a,s);e.value=uu(e.value,s,r),t.value=du(t.value,r),n.value=du(n.value,r)}if(r){let e=cu(o,c);r.value=lu(r.value,c,e),t.value=fu(t.value,e),n.value=fu(n.value,e)}}else if(n){if(e){let e=_u(n.value,i);n.value=n.value.substring(e.length)}if(r){let e=_u(r.value,i);r.value=r.value.substring(e.length)}}else if(e&&r){let n=_u(r.value,i),[a,o]=vu(t.value,i),s=su(n,a);t.value=du(t.value,s);let c=cu(du(n,s),o);t.value=fu(t.value,c),r.value=lu(r.value,n,c),e.value=uu(e.value,n,n.slice(0,n.length-c.length))}else if(r){let e=_u(r.value,i),n=pu(gu(t.value,i),e);t.value=fu(t.value,n)}else if(e){let n=pu(gu(e.value,i),_u(t.value,i));t.value=du(t.value,n)}}new class extends ou{tokenize(e){let t=RegExp(`(\\r?\\n)|[${yu}]+|[^\\S\\n\\r]+|[^${yu}]`,`ug`);return e.match(t)||[]}},new class extends ou{constructor(){super(...arguments),this.tokenize=Su}equals(e,t,n){return n.ignoreWhitespace?(n.newlineIsToken&&e.includes(`
`)||(e=e.trim()),n.newlineIsToken&&t.includes(`
`)||(t=t.trim())):n.ignoreNewlineAtEof&&!n.newlineIsToken&&(e.endsWith(`
`)&&(e=e.slice(0,-1)),t.endsWith(`
`)&&(t=t.slice(0,-1))),super.equals(e,t,n)}};function Su(e,t){t.stripTrailingCr&&(e=e.replace(/\r\n/g,`
`));let n=[],r=e.split(/(\n|\r\n)/);r[r.length-1]||r.pop();for(let e=0;e<r.length;e++){let i=r[e];e%2&&!t.newlineIsToken?n[n.length-1]+=i:n.push(i)}return n}function Cu(e){return e==`.`||e==`!`||e==`?`}new class extends ou{tokenize(e){let t=[],n=0;for(let r=0;r<e.length;r++){if(r==e.length-1){t.push(e.slice(n));break}if(Cu(e[r])&&e[r+1].match(/\s/)){for(t.push(e.slice(n,r+1)),r=n=r+1;e[r+1]?.match(/\s/);)r++;t.push(e.slice(n,r+1)),n=r+1}}return t}},new class extends ou{tokenize(e){return e.split(/([{}:;,]|\s+)/)}},new class extends ou{constructor(){super(...arguments),this.tokenize=Su}get useLongestToken(){return!0}castInput(e,t){let{undefinedReplacement:n,stringifyReplacer:r=(e,t)=>t===void 0?n:t}=t;return typeof e==`string`?e:JSON.stringify(wu(e,null,null,r),null,`  `)}equals(e,t,n){return super.equals(e.replace(/,([\r\n])/g,`$1`),t.replace(/,([\r\n])/g,`$1`),n)}};function wu(e,t,n,r,i){t||=[],n||=[],r&&(e=r(i===void 0?``:i,e));let a=0;for(;a<t.length;a+=1)if(t[a]===e)return n[a];let o;if(Object.prototype.toString.call(e)===`[object Array]`){for(t.push(e),o=Array(e.length),n.push(o),a=0;a<e.length;a+=1)o[a]=wu(e[a],t,n,r,String(a));return t.pop(),n.pop(),o}if(e&&e.toJSON&&(e=e.toJSON()),typeof e==`object`&&e){t.push(e),o={},n.push(o);let i=[],s;for(s in e)Object.prototype.hasOwnProperty.call(e,s)&&i.push(s);for(i.sort(),a=0;a<i.length;a+=1)s=i[a],o[s]=wu(e[s],t,n,r,s);t.pop(),n.pop()}else o=e;return o}var Tu=new class extends ou{tokenize(e){return e.slice()}join(e){return e}removeEmpty(e){return e}};function Eu(e,t,n){return Tu.diff(e,t,n)}var Du=`[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]`,Ou=RegExp(`${Du}\\p{M}*|(?:(?!${Du})[\\p{L}\\p{N}\\p{M}])+|\\s+|[^]`,`gu`),ku=e=>e.match(Ou)??[],Au=500;function ju({name:e,was:t,now:n,names:[r,i]}){let a=(0,_.useMemo)(()=>Eu(ku(t),ku(n),{maxEditLength:Au}),[t,n]),o=a?.filter(({added:e})=>!e).map(({value:e,removed:t},n)=>t?(0,U.jsx)(`del`,{children:e},n):e.join(``)),s=a?.filter(({removed:e})=>!e).map(({value:e,added:t},n)=>t?(0,U.jsx)(`ins`,{children:e},n):e.join(``));return(0,U.jsxs)(`dl`,{className:`change`,children:[(0,U.jsxs)(`div`,{children:[(0,U.jsxs)(`dt`,{children:[e,` `,r]}),(0,U.jsxs)(`dd`,{dir:`auto`,children:[o??t,!t&&(0,U.jsx)(`em`,{children:`empty`})]})]}),(0,U.jsxs)(`div`,{children:[(0,U.jsxs)(`dt`,{children:[e,` `,i]}),(0,U.jsxs)(`dd`,{dir:`auto`,children:[s??n,!n&&(0,U.jsx)(`em`,{children:`empty`})]})]})]})}function Mu({was:e,now:t,names:n}){return Object.keys({...e,...t}).map(r=>{let[i,a]=[e?.[r]??``,t?.[r]??``];return e&&t&&t[r]!==null?i!==a&&(0,U.jsx)(ju,{name:r,was:i,now:a,names:n},r):(i||a)&&(0,U.jsx)(`dl`,{className:`change`,children:(0,U.jsxs)(`div`,{children:[(0,U.jsxs)(`dt`,{children:[r,` `,e?n[0]:n[1]]}),(0,U.jsx)(`dd`,{dir:`auto`,children:i||a})]})},r)})}function Nu(e){switch(e?.__typename){case`Topic`:{let{title:t,content:n,link:r,tags:i,topicState:a}=e;return a===`DELETED`?void 0:{Title:t,Text:n,Link:r??``,Tags:i.map(({name:e})=>e).join(`, `)}}case`Comment`:return e.commentState===`DELETED`?void 0:{Text:e.content};case`User`:{let{login:t,name:n,bio:r,website:i,avatarUrl:a}=e;return{Login:t,Name:n,Text:r,Link:i??``,Picture:a??``}}default:return}}function Pu({copy:e,subject:t}){let{cause:n,takenAt:r,revision:i,title:a,content:o,link:s,tags:c,login:l,name:u,avatarUrl:d,author:f,isTruncated:p}=e,m={Title:a??``,Text:o,Link:s??``,Tags:c.join(`, `),Login:l??``,Name:u??``,Picture:d??``},h=Nu(t);h?.Text&&p&&(h.Text=h.Text.slice(0,o.length));let g=h&&Object.keys(m).every(e=>m[e]===(h[e]??``));return(0,U.jsxs)(`li`,{className:`copy`,"data-cause":n,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsxs)(`strong`,{children:[`As it was `,Fc[n]]}),(0,U.jsx)(ms,{at:r}),i&&(0,U.jsxs)(`span`,{children:[`revision `,i]}),(0,U.jsxs)(`span`,{children:[`by `,(0,U.jsx)(gs,{user:f})]}),g&&(0,U.jsx)(`span`,{children:`unchanged since`}),!h&&(0,U.jsx)(`span`,{children:`deleted since`})]}),!g&&(0,U.jsx)(Mu,{was:m,...h&&{now:h},names:[`then`,`now`]}),p&&(0,U.jsx)(`p`,{className:`hint`,children:`Only the beginning of the text is kept.`}),h?.Text===null&&(0,U.jsx)(`p`,{className:`hint`,children:`The present text is too long to be shown beside it.`})]})}function Fu({copies:e,subject:t}){return(0,U.jsx)(`ol`,{className:`plain copies`,children:e.map(e=>(0,U.jsx)(Pu,{copy:e,subject:t},e.takenAt+e.cause))})}function Iu({of:e}){let{data:t,error:n,refresh:r}=N(io,{id:e},{requestPolicy:`network-only`}),i=t?.node;if(n&&!i)return(0,U.jsx)(As,{error:n,retry:r});if(!i)return t?null:(0,U.jsx)(Ts,{rows:1});let a=`evidence`in i?i.evidence:null;if(!a?.length)return(0,U.jsx)(`p`,{className:`hint`,children:`No copy is kept.`});let o=`subject`in i?i.subject:i;return(0,U.jsx)(Fu,{copies:a,subject:o})}function Lu({of:e}){let[t,n]=(0,_.useState)(!1);return(0,U.jsxs)(`details`,{className:`kept`,onToggle:e=>n(e.currentTarget.open),children:[(0,U.jsx)(`summary`,{children:`What is kept of it`}),t&&(0,U.jsx)(Iu,{of:e})]})}function Ru({before:e,after:t}){let{tabs:n,categories:r,groups:i}=ss(),a=(e,t,n=`a deleted one`)=>e?.map(e=>t?.find(t=>t.id===e)?.name??n).join(`, `),o=e=>e?{Name:e.name??``,Description:e.description??``,Position:String(e.position??``),Title:e.title??``,Link:e.link??``,Categories:a(e.categoryIds,r?.nodes)??``,Tabs:a(e.tabIds,n?.nodes)??``,"Who sees it":e.sees?Rc[e.sees]:``,Groups:a(e.groupIds,i?.nodes,`one not shown`)??``,"Who may post":e.posts?zc[e.posts]:``,"Who may reply and vote":e.replies?zc[e.replies]:``,Words:e.words?.join(`, `)??``,Domains:e.domains?.join(`, `)??``,...Object.fromEntries(e.rules?.map(({name:e,value:t})=>[e,Ic(e,t)])??[])}:void 0,[s,c]=[o(e),o(t)];return!s&&!c?null:(0,U.jsxs)(`details`,{className:`kept`,children:[(0,U.jsx)(`summary`,{children:`What changed`}),(0,U.jsx)(Mu,{...s&&{was:s},...c&&{now:c},names:[`before`,`after`]})]})}var zu={KEPT:` `,ADDED:`+`,REMOVED:`−`};function Bu({hunks:e}){return(0,U.jsx)(`div`,{className:`difference`,children:e.map(e=>(0,U.jsxs)(`pre`,{dir:`auto`,children:[e.lines.map((e,t)=>(0,U.jsxs)(`span`,{className:e.change.toLowerCase(),children:[zu[e.change],` `,e.text,`
`]},t)),e.isTruncated&&`…`]},e.oldStart))})}function Vu({of:e}){let t=N(vo,{id:e}).data?.node;return(0,U.jsx)(`pre`,{dir:`auto`,children:t&&`revisions`in t&&t.revisions.nodes[0]?.content})}function Hu({of:e,version:t,first:n,present:r}){let i=F(yo),a=V(),o=!t.isRedacted;return(0,U.jsxs)(`li`,{className:`panel`,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsx)(`strong`,{children:r?`Present text`:`Revision ${t.number}`}),(0,U.jsx)(gs,{user:t.editor,face:!0}),(0,U.jsx)(ms,{at:t.createdAt}),t.isRedacted&&(0,U.jsx)(`span`,{children:`out of sight`}),!r&&H(a)&&(0,U.jsx)(`button`,{className:`quiet`,onClick:()=>void i({input:{subjectId:e,number:t.number,redacted:o,reason:`PRIVACY`}}).then(({redactRevision:e})=>e?.errors[0]&&G(e.errors[0].message),e=>G(e.message)),children:o?`Redact`:`Show again`})]}),t.title&&(0,U.jsx)(`h2`,{dir:`auto`,children:t.title}),t.isRedacted&&!t.hunks&&(0,U.jsx)(`p`,{className:`tombstone`,children:`A moderator took this text out of sight.`}),n&&t.hunks&&(0,U.jsx)(Vu,{of:e}),!n&&t.hunks&&(0,U.jsx)(Bu,{hunks:t.hunks})]})}function Uu({id:e}){let{data:t,error:n,refresh:r}=N(_o,{id:e},{requestPolicy:`cache-and-network`}),i=P(),a=ls(),o=t?.node;if(n&&!o)return(0,U.jsx)(As,{error:n,retry:r});if(!o)return t?(0,U.jsx)(Es,{children:`It is gone.`}):(0,U.jsx)(Ts,{});if(!(`revisions`in o))return(0,U.jsx)(Es,{children:`This has no history.`});let[s,c]=`topic`in o?[`comment ${o.number} on ${o.topic.title}`,`${L(`t`,o.topic.number)}#c${o.number}`]:[o.title,L(`t`,o.number)],{nodes:l,pageInfo:u}=o.revisions,d=u.hasNextPage?u.endCursor:null;return(0,U.jsxs)(ws,{title:`History`,lead:(0,U.jsxs)(U.Fragment,{children:[`Edits of `,(0,U.jsx)(`a`,{href:c,dir:`auto`,children:s})]}),children:[a&&(0,U.jsx)(Lu,{of:e}),l.length===0&&(0,U.jsx)(Es,{children:`It was never edited.`}),(0,U.jsx)(`ol`,{className:`plain`,children:l.map((t,n)=>{let r=n===l.length-1&&!d;return(0,U.jsx)(Hu,{of:e,version:t,present:n===0,first:r},t.number)})}),d&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void i(_o,{id:e,after:d}),children:`More`})]})}var Wu={HIDE_POSTS:`MODERATOR`,UPDATE_BLOCKLIST:`MODERATOR`,UPDATE_RULES:`ADMIN`,SET_MODERATOR:`ADMIN`,UPDATE_ACCESS:`ADMIN`,CREATE_CATEGORY:`MODERATOR`,UPDATE_CATEGORY:`MODERATOR`,DELETE_CATEGORY:`MODERATOR`,CREATE_TAB:`MODERATOR`,UPDATE_TAB:`MODERATOR`,DELETE_TAB:`MODERATOR`};function Gu({act:e,done:t}){let n=F(go),r=V()?.role,i=Wu[e.action];return!i||e.reversedBy||r!==`ADMIN`&&r!==i?null:(0,U.jsx)(tl,{label:`Undo`,title:`Undo this`,action:`Undo`,reason:`OTHER`,done:`It is undone.`,send:async({reason:r,note:i})=>{let{revertAct:a}=await n({input:{actId:e.id,reason:r,note:i}});return a?.errors.length||t(),a}})}function Ku({act:e,undone:t}){let n=Uc(e),r=Gc(e),i=ls(),a=e.action===`UPDATE_ACCESS`?Bc:`the site`;return(0,U.jsxs)(`li`,{className:`notice-row`,"data-action":e.action,children:[(0,U.jsxs)(`div`,{className:`what`,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[e.moderator?(0,U.jsx)(gs,{user:e.moderator,face:!0}):(0,U.jsx)(`span`,{children:`A moderator`}),(0,U.jsx)(`span`,{children:Nc[e.action]}),n?(0,U.jsx)(`a`,{href:n.href,dir:`auto`,children:n.name}):(0,U.jsx)(`span`,{children:e.subjectId?`what is no longer shown`:a}),r&&(0,U.jsx)(`span`,{children:r}),(0,U.jsx)(ms,{at:e.createdAt})]}),(0,U.jsxs)(`p`,{className:`excerpt`,children:[Mc[e.reason],e.note&&(0,U.jsxs)(U.Fragment,{children:[`: `,(0,U.jsx)(`q`,{dir:`auto`,children:e.note})]}),e.member&&e.subject?.__typename!==`User`&&(0,U.jsxs)(U.Fragment,{children:[` · by `,(0,U.jsx)(gs,{user:e.member})]}),e.reversedBy&&(0,U.jsx)(`strong`,{children:` · reversed`})]}),(0,U.jsx)(Ru,{before:e.before,after:e.after}),t&&e.member&&!e.role&&e.isModerator===null&&i&&(0,U.jsx)(Lu,{of:e.id})]}),t&&(0,U.jsx)(Gu,{act:e,done:t})]})}var qu={HIDE:`Hidden`,RESTORE:`Restored`,LOCK:`Locked`,BAN:`Bans`,WARN:`Warnings`,SET_ROLE:`Roles`};function Ju(){let e=aa(),t=P(),n=e.searchParams.get(`action`)||null,[r,i,a]=[`user`,`by`,`of`].map(t=>e.searchParams.get(t)),o={action:n,user:r?{login:r}:null,moderator:i?{login:i}:null,subjectId:a},{data:s,error:c,refresh:l}=N(ao,o,{requestPolicy:`cache-and-network`}),u=s?.moderationLog,d=r?`What concerns ${r}`:i?`What ${i} did`:a?`What was done to it`:``,f=u?.pageInfo.hasNextPage?u.pageInfo.endCursor:null,p=[[``,`All`],...Object.entries(qu)].map(([t=``,n=``])=>({value:t,name:n,href:I(e,{action:t})}));return(0,U.jsxs)(ws,{title:`Moderation log`,lead:d||`What moderators did, and why`,children:[(0,U.jsx)(js,{label:`Which acts`,current:n??``,options:p}),!u&&(c?(0,U.jsx)(As,{error:c,retry:l}):(0,U.jsx)(Ts,{})),u?.nodes.length===0&&(0,U.jsx)(Es,{children:`Nothing was done yet.`}),(0,U.jsx)(`ul`,{className:`rows`,children:u?.nodes.map(e=>(0,U.jsx)(Ku,{act:e,undone:l},e.id))}),f&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void t(ao,{...o,after:f}),children:`More`})]})}function Yu({of:e,refresh:t}){let n=F(lo),{subject:r}=e,i=Uc(e),a=r=>n({input:{subjectId:e.subjectId,throughReport:e.throughReport,outcome:r}}).then(({resolveReports:e})=>{e?.errors[0]?G(e.errors[0].message):e?.changed||G(`Another moderator was faster.`),t()},e=>G(e.message));return(0,U.jsxs)(`li`,{className:`panel case`,"data-subject":e.subjectId,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsx)(`strong`,{children:e.isHeld?`Held for approval`:rs(e.reportCount,`report`)}),i?(0,U.jsx)(`a`,{href:i.href,dir:`auto`,children:i.name}):(0,U.jsx)(`span`,{children:`It is gone.`}),(0,U.jsxs)(`span`,{children:[`by `,(0,U.jsx)(gs,{user:e.author,face:!0})]}),e.category&&(0,U.jsx)(bs,{of:e.category}),e.firstReportedAt&&e.reportCount>1&&(0,U.jsxs)(U.Fragment,{children:[`from `,(0,U.jsx)(ms,{at:e.firstReportedAt}),` to`]}),e.lastReportedAt&&(0,U.jsx)(ms,{at:e.lastReportedAt}),(0,U.jsx)(`a`,{href:`/log?of=${encodeURIComponent(e.subjectId)}`,children:`Log`})]}),e.reportCount>1&&(0,U.jsx)(`p`,{className:`meta`,children:e.reasons.map(({reason:e,count:t})=>(0,U.jsxs)(`span`,{className:`chip`,children:[Mc[e],t>1&&` × ${t}`]},e))}),r&&`contentHtml`in r&&(0,U.jsx)(fl,{of:r}),e.evidence?(0,U.jsx)(Fu,{copies:e.evidence,subject:r}):(0,U.jsx)(Lu,{of:e.subjectId}),(0,U.jsx)(`ul`,{className:`plain`,children:e.reports.nodes.map(e=>(0,U.jsxs)(`li`,{children:[(0,U.jsxs)(`span`,{children:[(0,U.jsx)(`strong`,{children:Mc[e.reason]}),` `,e.note&&(0,U.jsx)(`q`,{dir:`auto`,children:e.note})]}),(0,U.jsx)(gs,{user:e.reporter})]},e.number))}),e.resolvedBy&&(0,U.jsx)(`ul`,{className:`plain`,children:(0,U.jsx)(Ku,{act:e.resolvedBy})}),e.state===`OPEN`&&(0,U.jsxs)(`div`,{className:`tools`,children:[Nu(r)&&r&&r.__typename!==`User`&&(0,U.jsx)(rl,{id:e.subjectId,type:r.__typename,done:t}),e.reportCount>0&&(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`button`,{className:`quiet`,onClick:()=>void a(`UPHELD`),children:`Uphold`}),(0,U.jsx)(`button`,{className:`quiet`,onClick:()=>void a(`DISMISSED`),children:`Dismiss`})]})]})]})}var Xu={OPEN:`Open`,UPHELD:`Upheld`,DISMISSED:`Dismissed`};function Zu(){let e=aa(),t=V(),{categories:n,viewer:r}=ss(),i=P(),a=e.searchParams.get(`state`)??``,o=a in Xu?a:`OPEN`,s=(H(t)?n?.nodes:r?.moderates)??[],c=e.searchParams.get(`category`)??(H(t)?``:s[0]?.name??``),l={state:o,category:c?{name:c}:null},{data:u,error:d,refresh:f}=N(oo,l,{requestPolicy:`cache-and-network`});$i(so,{category:l.category},!1,f);let p=u?.reportQueue,m=p?.pageInfo.hasNextPage?p.pageInfo.endCursor:null,h=Object.entries(Xu).map(([t,n])=>({value:t,name:n,href:I(e,{state:t===`OPEN`?``:t})}));return(0,U.jsxs)(ws,{title:`Reports`,lead:`What members reported, and what waits for approval`,children:[(0,U.jsx)(js,{label:`Which reports`,current:o,options:h}),(0,U.jsxs)(`label`,{className:`field`,children:[(0,U.jsx)(`span`,{children:`Category`}),(0,U.jsxs)(`select`,{value:c,onChange:t=>na(I(e,{category:t.target.value})),children:[H(t)&&(0,U.jsx)(`option`,{value:``,children:`All`}),s.map(e=>(0,U.jsx)(`option`,{value:e.name,children:e.name},e.id))]})]}),!p&&(d?(0,U.jsx)(As,{error:d,retry:f}):(0,U.jsx)(Ts,{})),p?.nodes.length===0&&(0,U.jsx)(Es,{children:`Nothing waits.`}),(0,U.jsx)(`ol`,{className:`plain`,children:p?.nodes.map(e=>(0,U.jsx)(Yu,{of:e,refresh:f},e.subjectId))}),m&&(0,U.jsx)(`button`,{className:`more`,onClick:()=>void i(oo,{...l,after:m}),children:`More`})]})}var Qu=[`newMemberSeconds`,`newMemberKarma`,`newMemberLinks`,`newMemberPostsPerDay`,`newMemberMentions`,`heldPosts`];function q(e,t){let{access:n,rules:r,publicModerationLog:i,showModerators:a}=e,o={};for(let e of Qu){let n=t[e]?Number(t[e]):-1;n!==(r[e]??-1)&&(o[e]=n)}let s={refuseDuplicates:r.refuseDuplicates,publicModerationLog:i,showModerators:a};for(let[e,n]of Object.entries(s))e in t!==n&&(o[e]=!n);return t.access!==n&&(o.access=t.access),t.registration!==r.registration&&(o.registration=t.registration),t.invitationsBy!==r.invitationsBy&&(o.invitationsBy=t.invitationsBy),t.memberList!==r.memberList&&(o.memberList=t.memberList),o}function $u({site:e}){let t=F($a),n=Ns(async n=>{let{updateRules:r}=await t({input:q(e,n)});return r?.errors.length===0&&G(`The rules have changed.`),r?.errors}),{rules:r}=e,i=ss().site?.signIn.local,a=(e,t,i)=>(0,U.jsx)(W,{label:t,name:e,state:n,type:`number`,defaultValue:r[e]??``,hint:i});return(0,U.jsxs)(Ps,{state:n,action:(0,U.jsx)(`button`,{className:`primary`,disabled:n.busy,children:`Save`}),children:[(0,U.jsxs)(`fieldset`,{className:`panel`,children:[(0,U.jsx)(`legend`,{children:`Who comes in`}),(0,U.jsx)(W,{label:`Who may use the site`,name:`access`,state:n,defaultValue:e.access,options:Lc,hint:`Others than members see only the page to sign in`}),(0,U.jsx)(W,{label:`Who may register`,name:`registration`,state:n,defaultValue:r.registration,options:Pc,hint:i?``:`Without passwords nobody does: members sign in with tokens, in every mode`}),(0,U.jsx)(W,{label:`Who may invite, and above`,name:`invitationsBy`,state:n,defaultValue:r.invitationsBy,options:Hc}),(0,U.jsx)(W,{label:`Who may list the members`,name:`memberList`,state:n,defaultValue:r.memberList,options:Vc})]}),(0,U.jsxs)(`fieldset`,{className:`panel`,children:[(0,U.jsx)(`legend`,{children:`Who is new`}),a(`newMemberSeconds`,`Accounts younger than`,`In seconds: 86,400 are a day; 0 if age does not matter`),a(`newMemberKarma`,`With less karma than`,`0 if karma does not matter`)]}),(0,U.jsxs)(`fieldset`,{className:`panel`,children:[(0,U.jsx)(`legend`,{children:`What new members may post`}),a(`newMemberLinks`,`Links in a post`,`Empty for any number`),a(`newMemberPostsPerDay`,`Posts on a day`,`Empty for any number`),a(`newMemberMentions`,`Mentions in a post`,`Empty for as many as others`),a(`heldPosts`,`Posts that wait for approval`,`The first of each member; they are among the reports`),(0,U.jsx)(Is,{name:`refuseDuplicates`,defaultChecked:r.refuseDuplicates,label:`Refuse repetitions within an hour`})]}),(0,U.jsxs)(`fieldset`,{className:`panel`,children:[(0,U.jsx)(`legend`,{children:`The moderation log`}),(0,U.jsx)(Is,{name:`publicModerationLog`,defaultChecked:e.publicModerationLog,label:`Everybody may read it`}),(0,U.jsx)(Is,{name:`showModerators`,defaultChecked:e.showModerators,label:`Members learn who acted`})]})]})}function J(){let{data:e,error:t,refresh:n}=N(Qa,{},{requestPolicy:`network-only`});return e?(0,U.jsx)($u,{site:e.site}):t?(0,U.jsx)(As,{error:t,retry:n}):(0,U.jsx)(Ts,{rows:3})}var Y=()=>(0,U.jsx)(kl,{at:`/manage/rules`,lead:`Who may register, what new members may do, and who sees the moderation log`,children:(0,U.jsx)(J,{})}),X=e=>(0,U.jsx)(Al,{legend:`Categories`,options:ss().categories?.nodes,...e});function ed({tab:e}){let t=F(Ba),n=F(Va),r=e.categories.nodes.map(({id:e})=>e);async function i({name:n=``,position:i,...a}){let o=jl(a),s={tabId:e.id,name:n,position:Number(i),addCategories:o.filter(e=>!r.includes(e)).map(e=>({id:e})),removeCategories:r.filter(e=>!o.includes(e)).map(e=>({id:e}))};return(await t({input:s})).updateTab}return(0,U.jsx)(Nl,{of:e,question:`Delete the tab ${e.name}? Its categories stay.`,save:i,remove:async()=>(await n({id:e.id})).deleteTab,fields:t=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(tu,{state:t,of:e}),(0,U.jsx)(X,{name:`addCategories`,state:t,of:e.categories.nodes})]}),children:(0,U.jsxs)(`span`,{className:`chips`,children:[(0,U.jsx)(`a`,{href:L(`tab`,e.name),dir:`auto`,children:e.name}),e.categories.nodes.map(e=>(0,U.jsx)(bs,{of:e},e.id))]})})}function td(){let{data:e,error:t,refresh:n}=N(Ra,{},{requestPolicy:`cache-and-network`}),r=F(za),i=Ns(async({name:e=``,...t})=>(await r({input:{name:e,categories:jl(t).map(e=>({id:e}))}})).createTab?.errors),a=e?.all?.nodes;return a?(0,U.jsxs)(`section`,{className:`panel`,children:[(0,U.jsx)(`ul`,{className:`plain`,children:a.map(e=>(0,U.jsx)(ed,{tab:e},e.id))}),(0,U.jsxs)(Ps,{state:i,action:(0,U.jsx)(`button`,{className:`primary`,children:`Create`}),children:[(0,U.jsx)(W,{label:`New tab`,name:`name`,state:i}),(0,U.jsx)(X,{name:`categories`,state:i,of:[]})]},a.length)]}):t?(0,U.jsx)(As,{error:t,retry:n}):(0,U.jsx)(Ts,{rows:3})}var nd=()=>(0,U.jsx)(kl,{at:`/manage/tabs`,lead:`A tab shows the topics of several categories in one list`,children:(0,U.jsx)(td,{})});function rd({task:e,retry:t}){let n=Uc(e);return(0,U.jsxs)(`li`,{className:`panel`,"data-task":e.name,children:[(0,U.jsxs)(`p`,{className:`meta`,children:[(0,U.jsx)(`strong`,{children:e.work??`unknown work`}),n&&(0,U.jsx)(`a`,{href:n.href,dir:`auto`,children:n.name}),(0,U.jsxs)(`span`,{children:[`given up `,(0,U.jsx)(ms,{at:e.givenUpAt}),` after `,rs(e.attempts,`attempt`)]})]}),(0,U.jsxs)(`p`,{className:`excerpt`,children:[(0,U.jsx)(`code`,{children:e.name}),` `,e.failure]}),(0,U.jsxs)(`button`,{className:`quiet`,onClick:t,children:[`Retry`,(0,U.jsxs)(`span`,{className:`hidden`,children:[` `,e.name]})]})]})}function id(){let{data:e,error:t,refresh:n}=N(eo,{},{requestPolicy:`cache-and-network`}),r=F(to),i=e=>void r({name:e}).then(({retryTasks:e})=>G(e?.errors[0]?.message??`${rs(e?.retriedCount??0,`task`)} will be tried again.`),e=>G(e.message)),a=e?.tasks;return a?(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`div`,{className:`actions`,children:[(0,U.jsxs)(`p`,{children:[a.due,` due, `,a.waiting,` waiting, `,a.dead,` given up`]}),(0,U.jsx)(`button`,{className:`quiet`,onClick:n,children:`Look again`}),a.dead>0&&(0,U.jsx)(`button`,{className:`primary`,onClick:()=>i(null),children:`Retry all`})]}),a.dead===0&&(0,U.jsx)(Es,{children:`Nothing was given up.`}),(0,U.jsx)(`ul`,{className:`plain`,children:a.deadTasks.map(e=>(0,U.jsx)(rd,{task:e,retry:()=>i(e.name)},e.name))}),a.dead>a.deadTasks.length&&(0,U.jsx)(`p`,{className:`hint`,children:`Others are left out.`})]}):t?(0,U.jsx)(As,{error:t,retry:n}):(0,U.jsx)(Ts,{rows:3})}var ad=()=>(0,U.jsx)(kl,{at:`/manage/tasks`,lead:`What the servers do in the background, such as notifications`,children:(0,U.jsx)(id,{})}),od=`/assets/icon-CTu7Uitz.svg`,sd=zi(`agora:inspector`);function cd({query:e,variables:t}){return`/playground?${new URLSearchParams({query:e.trim(),variables:JSON.stringify(t??{},null,2)})}`}function ld({trace:e}){let{roundTrips:t,commands:n,values:r,sent:i,ms:a}=e;return(0,U.jsxs)(`li`,{"data-failed":e.failed,children:[(0,U.jsx)(`a`,{href:cd(e),target:`_blank`,title:`Open in the playground`,children:e.name}),(0,U.jsx)(`span`,{className:`how`,children:e.how===`event`?`live event`:`${a} ms`}),(0,U.jsxs)(`dl`,{children:[(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dt`,{children:`round trips`}),(0,U.jsx)(`dd`,{children:t??`–`})]}),(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dt`,{children:`commands`}),(0,U.jsx)(`dd`,{children:n??`–`})]}),(0,U.jsxs)(`div`,{title:i===void 0?``:`${ns(i)} compressed`,children:[(0,U.jsx)(`dt`,{children:`size`}),(0,U.jsxs)(`dd`,{children:[ns(e.bytes),i!==void 0&&i<e.bytes&&` (${ns(i)} sent)`]})]}),r!==void 0&&(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dt`,{children:`cost`}),(0,U.jsx)(`dd`,{children:rs(r,`value`)})]})]})]})}function ud(){let e=Ri(Bi),t=Ri(sd)===`open`,n=e.find(e=>e.how===`HTTP`);return!Ri(Vi)||!n?null:(0,U.jsxs)(`aside`,{className:`inspector`,"aria-label":`Requests`,children:[(0,U.jsx)(`div`,{className:`bar`,children:(0,U.jsxs)(`button`,{"aria-expanded":t,"aria-controls":`requests`,onClick:()=>sd.set(t?``:`open`),title:`What the latest request cost`,children:[(0,U.jsx)(ps,{name:`pulse`}),(0,U.jsx)(`span`,{children:n.name}),(0,U.jsx)(`b`,{children:n.roundTrips??`–`}),` trips `,(0,U.jsx)(`b`,{children:n.commands??`–`}),` cmds`,(0,U.jsx)(`b`,{children:ns(n.sent??n.bytes)})]})}),t&&(0,U.jsx)(`ol`,{id:`requests`,tabIndex:0,"aria-label":`Latest requests`,children:e.map(e=>(0,U.jsx)(ld,{trace:e},e.id))})]})}var dd=zi(`agora:theme`);function fd(){let e=Ri(dd);(0,_.useEffect)(()=>{document.documentElement.dataset.theme=e},[e]);let t=e===``?`dark`:e===`dark`?`light`:``;return(0,U.jsxs)(`button`,{className:`quiet`,onClick:()=>dd.set(t),title:`Theme: ${e||`automatic`}`,children:[(0,U.jsx)(ps,{name:`theme`}),(0,U.jsxs)(`span`,{children:[e===``?`Automatic`:e===`dark`?`Dark`:`Light`,` theme`]})]})}function pd(){let e=Ri(qi);return(0,_.useEffect)(()=>{document.documentElement.dataset.live=e},[e]),(0,U.jsx)(`div`,{className:`connection`,role:`status`,children:e===`lost`&&(0,U.jsxs)(`p`,{children:[(0,U.jsx)(`i`,{}),`Reconnecting …`]})})}function md({href:e,icon:t,children:n}){let r=aa().pathname;return(0,U.jsx)(`li`,{children:(0,U.jsxs)(`a`,{href:e,"aria-current":decodeURI(r)===decodeURI(e)?`page`:void 0,children:[t&&(0,U.jsx)(ps,{name:t}),(0,U.jsx)(`bdi`,{children:n})]})})}function hd({unread:e}){let t=V(),{site:n}=ss(),r=ls(),i=cs(),a=F(_a);return(0,U.jsxs)(`header`,{className:`top`,children:[(0,U.jsx)(`a`,{className:`skip`,href:`#main`,children:`Skip to content`}),(0,U.jsxs)(`a`,{className:`brand`,href:`/`,children:[(0,U.jsx)(`img`,{src:od,alt:``,width:`28`,height:`28`}),n?.name??`Agora`]}),(0,U.jsx)(pd,{}),(0,U.jsxs)(`div`,{className:`actions`,children:[(0,U.jsxs)(`a`,{className:`button primary`,href:`/new`,"aria-label":`Post`,children:[(0,U.jsx)(ps,{name:`pen`}),(0,U.jsx)(`span`,{children:`Post`})]}),t&&(0,U.jsxs)(`a`,{className:`button quiet bell`,href:`/notifications`,"aria-label":`Notifications, ${e} unread`,children:[(0,U.jsx)(ps,{name:`bell`}),e>0&&(0,U.jsx)(`span`,{className:`badge`,children:e>99?`99+`:e})]}),t?(0,U.jsxs)(`details`,{className:`menu`,children:[(0,U.jsx)(`summary`,{"aria-label":`Account of ${t.login}`,children:(0,U.jsx)(hs,{user:t})}),(0,U.jsxs)(`div`,{onClick:e=>e.currentTarget.parentElement?.removeAttribute(`open`),children:[(0,U.jsxs)(`a`,{href:L(`u`,t.login),children:[`Profile of `,(0,U.jsx)(`bdi`,{children:t.login})]}),(0,U.jsx)(`a`,{href:`/settings`,children:`Account`}),r&&(0,U.jsx)(`a`,{href:`/queue`,children:`Reports`}),H(t)&&(0,U.jsx)(`a`,{href:`/manage`,children:`Manage the site`}),i&&(0,U.jsx)(`a`,{href:`/manage/groups`,children:`Groups`}),(r||n?.publicModerationLog)&&(0,U.jsx)(`a`,{href:`/log`,children:`Moderation log`}),(0,U.jsx)(fd,{}),(0,U.jsx)(`button`,{className:`quiet`,onClick:()=>void a({id:null}).then(()=>{Ki.set(``),na(`/`)},e=>G(e.message)),children:`Sign out`})]})]}):(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(fd,{}),(0,U.jsx)(`a`,{className:`button`,href:`/login`,children:`Sign in`})]})]})]})}function gd(){let{tabs:e,categories:t}=ss(),n=V();return(0,U.jsxs)(`nav`,{className:`side-nav`,"aria-label":`Site`,children:[(0,U.jsxs)(`ul`,{children:[(0,U.jsx)(md,{href:`/`,icon:`list`,children:`All topics`}),(0,U.jsx)(md,{href:`/day`,icon:`fire`,children:`Most replied`}),n&&(0,U.jsx)(md,{href:`/home`,icon:`home`,children:`Home`}),n&&(0,U.jsx)(md,{href:`/bookmarks`,icon:`mark`,children:`Bookmarks`}),n&&(0,U.jsx)(md,{href:`/lists`,icon:`list`,children:`Lists`})]}),(0,U.jsx)(`h2`,{children:`Tabs`}),(0,U.jsx)(`ul`,{className:`tabs`,children:e?.nodes.map(e=>(0,U.jsx)(md,{href:L(`tab`,e.name),children:e.name},e.id))}),(0,U.jsx)(`h2`,{className:`wide`,children:`Categories`}),(0,U.jsx)(`ul`,{className:`wide`,children:t?.nodes.map(e=>(0,U.jsxs)(md,{href:L(`c`,e.name),children:[e.name,(0,U.jsx)(ys,{of:e})]},e.id))})]})}function _d(){let{site:e}=ss(),{data:t}=N(da,{}),n=Ri(Vi);return(0,U.jsxs)(`aside`,{className:`rail`,"aria-label":`About the site`,children:[t?.dayRank&&t.dayRank.topics.nodes.length>0&&(0,U.jsxs)(`section`,{children:[(0,U.jsx)(`h2`,{children:(0,U.jsx)(`a`,{href:`/day`,children:`Most replied today`})}),(0,U.jsx)(`ol`,{children:t.dayRank.topics.nodes.map(e=>(0,U.jsxs)(`li`,{children:[(0,U.jsx)(`a`,{href:L(`t`,e.number),dir:`auto`,children:e.title}),(0,U.jsx)(`span`,{children:rs(e.commentCountToday,`reply`,`replies`)})]},e.id))})]}),e&&(0,U.jsxs)(`section`,{className:`facts`,children:[(0,U.jsxs)(`dl`,{children:[e.userCount!=null&&(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dd`,{children:ts(e.userCount)}),(0,U.jsx)(`dt`,{children:`members`})]}),(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dd`,{children:ts(e.topicCount)}),(0,U.jsx)(`dt`,{children:`topics`})]}),(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dd`,{children:ts(e.commentCount)}),(0,U.jsx)(`dt`,{children:`comments`})]})]}),n&&(0,U.jsxs)(`p`,{children:[`This page is an example of a front end. All that it shows comes from one GraphQL API: try it in the `,(0,U.jsx)(`a`,{href:`/playground`,children:`playground`}),`, or read the `,(0,U.jsx)(`a`,{href:`/docs/`,children:`documentation`}),`.`]})]})]})}function vd({entrance:e}){let{data:t,error:n,refresh:r}=N(ua,{});return(0,U.jsxs)(os.Provider,{value:t??{},children:[(0,U.jsx)(hd,{unread:0}),(0,U.jsx)(`div`,{className:`frame`,children:(0,U.jsx)(`main`,{id:`main`,tabIndex:-1,children:n&&!t?(0,U.jsx)(As,{error:n,retry:r}):e})}),(0,U.jsx)(zs,{})]})}function yd({children:e,entrance:t}){let{data:n,error:r,refresh:i}=N(la,{}),a=n?.viewer;(0,_.useEffect)(()=>{n&&Ki.value!==(a?.user.id??``)&&Ki.set(a?.user.id??``)},[n,a]);let[o]=(0,_.useState)({value:void 0});a&&o.value===void 0&&(o.value=a.notificationsEventId??null),$i(pa,{after:o.value??null},!a,({notificationAdded:e})=>{e.kind===`RESET`&&i()});let s=a?.unreadNotificationCount??0;return(0,_.useEffect)(()=>{document.title=document.title.replace(/^(\(\d+\) )?/,s?`(${s}) `:``)}),!n&&r&&Yr(r)===`UNAUTHENTICATED`?(0,U.jsx)(vd,{entrance:t}):(0,U.jsxs)(os.Provider,{value:n??{},children:[(0,U.jsx)(hd,{unread:s}),(0,U.jsxs)(`div`,{className:`frame`,children:[(0,U.jsx)(gd,{}),(0,U.jsx)(`main`,{id:`main`,tabIndex:-1,children:r&&!n?(0,U.jsx)(As,{error:r,retry:i}):e}),(0,U.jsx)(_d,{})]}),(0,U.jsx)(zs,{}),(0,U.jsx)(ud,{})]})}var bd={"/":()=>(0,U.jsx)(Cc,{}),"/tab/:name":({name:e=``})=>(0,U.jsx)(wc,{name:e},e),"/c/:name":({name:e=``})=>(0,U.jsx)(Tc,{name:e},e),"/tag/:name":({name:e=``})=>(0,U.jsx)(Ec,{name:e},e),"/day":()=>(0,U.jsx)(Dc,{}),"/t/:number":({number:e=``})=>(0,U.jsx)(Dl,{number:Number(e)||0},e),"/u/:login":({login:e=``})=>(0,U.jsx)(Wl,{login:e},e),"/@:login":({login:e=``})=>(0,U.jsx)(Wl,{login:e},e),"/log":()=>(0,U.jsx)(Ju,{}),"/history/:id":({id:e=``})=>(0,U.jsx)(Uu,{id:e},e),"/login":()=>(0,U.jsx)(Ys,{}),"/register":()=>(0,U.jsx)(Xs,{})},xd={"/home":()=>(0,U.jsx)(Oc,{}),"/bookmarks":()=>(0,U.jsx)(kc,{}),"/lists":()=>(0,U.jsx)(Ac,{}),"/lists/:id":({id:e=``})=>(0,U.jsx)(jc,{id:e},e),"/notifications":()=>(0,U.jsx)(Xc,{}),"/settings":()=>(0,U.jsx)(tc,{}),"/new":()=>(0,U.jsx)(Qc,{}),"/manage":()=>(0,U.jsx)(nu,{}),"/manage/tabs":()=>(0,U.jsx)(nd,{}),"/manage/blocklist":()=>(0,U.jsx)(Xl,{}),"/manage/applications":()=>(0,U.jsx)(Jl,{}),"/manage/groups":()=>(0,U.jsx)(au,{}),"/manage/team":()=>(0,U.jsx)(Hl,{}),"/manage/rules":()=>(0,U.jsx)(Y,{}),"/manage/tasks":()=>(0,U.jsx)(ad,{}),"/queue":()=>(0,U.jsx)(Zu,{})};function Sd({signedIn:e}){let{pathname:t}=aa();for(let[n,r]of Object.entries({...bd,...xd})){let i=oa(n,t);if(i)return n in xd&&!e?(0,U.jsx)(Ys,{}):r(i)}return(0,U.jsx)(ws,{title:`Not found`,children:(0,U.jsxs)(Es,{children:[`There is no such page. `,(0,U.jsx)(`a`,{href:`/`,children:`See all topics`}),`.`]})})}function Cd(){let e=Ri(Ki),[t,n]=(0,_.useState)(()=>({user:e,...Yi(e)}));t.user!==e&&n({user:e,...Yi(e)}),(0,_.useEffect)(()=>t.close,[t]);let r=aa().pathname===`/register`?(0,U.jsx)(Xs,{}):(0,U.jsx)(Ys,{});return(0,U.jsx)(qt,{value:t.client,children:(0,U.jsx)(yd,{entrance:r,children:(0,U.jsx)(Sd,{signedIn:e!==``})})},t.user)}(0,v.createRoot)(document.getElementById(`app`)).render((0,U.jsx)(Cd,{}));