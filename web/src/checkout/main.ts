import './checkout.css'
